// Users by id. Email and name are personal data: null after the user's data key was deleted.
import type { UserEvent } from '../../domain/user/user.js';
import { ofFamily } from '../runtime/events-of.js';
import type { Projection } from '../runtime/projection.js';

export type UserDoc = {
  readonly userId: string;
  /** The stream whose data key seals the personal fields. */
  readonly subject: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly createdAt: string;
};

export const users: Projection<UserDoc> = {
  name: 'users',
  version: 2,
  families: ['user'],
  indexes: [],
  onPoison: 'park',
  keys: (stored) => {
    const event = ofFamily<UserEvent>(stored, 'user');
    return event?.type === 'UserRegistered' ? [event.data.userId] : [];
  },
  fold: (doc, stored) => {
    const event = ofFamily<UserEvent>(stored, 'user');
    return event?.type === 'UserRegistered' ? { ...event.data, subject: event.stream, createdAt: event.meta.at } : doc;
  },
  derived: [],
  personal: (doc, replace) => {
    const { subject, email, name } = doc;
    return {
      ...doc,
      email: email === null ? null : (replace(subject, 'email', email) ?? null),
      name: name === null ? null : (replace(subject, 'name', name) ?? null),
    };
  },
};
