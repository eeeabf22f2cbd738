// Users by id. Email and name are personal data: null after the user's data key was deleted.
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type UserDoc = {
  readonly userId: string;
  /** The stream whose data key seals the personal fields. */
  readonly subject: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly createdAt: string;
};

export const users: Projection<UserDoc> = defineProjection({
  name: 'users',
  version: 2,
  families: ['user'],
  indexes: [],
  select: (stored) => {
    const event = ofFamily(stored, 'user');
    return event?.type === 'UserRegistered' ? event : null;
  },
  keys: ({ data }) => [data.userId],
  fold: (_doc, { data, stream, meta }) => ({ ...data, subject: stream, createdAt: meta.at }),
  personal: (doc, replace) => {
    const { subject, email, name } = doc;
    return {
      ...doc,
      email: email === null ? null : (replace(subject, 'email', email) ?? null),
      name: name === null ? null : (replace(subject, 'name', name) ?? null),
    };
  },
});
