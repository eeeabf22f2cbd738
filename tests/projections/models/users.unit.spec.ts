// Users by id.
import { expect } from 'chai';
import { streams } from '../../../src/domain/streams.js';
import { userEvents } from '../../../src/domain/user/user.js';
import { users } from '../../../src/projections/models/users.js';
import { DAY } from '../support/customer-events.js';
import { past, given } from '../support/spec.js';

const stream = streams.user('key');
const registered = (email: string | null) =>
  past(stream, userEvents.UserRegistered.of({ userId: 'user_1', email, name: 'Ann' }), DAY(1));

describe('users read model', () => {
  const loggedIn = past(stream, userEvents.UserLoggedIn.of({ userId: 'user_1', sessionId: 'ses_1' }), DAY(2));
  const ann = { userId: 'user_1', subject: stream, email: 'ann@example.com', name: 'Ann', createdAt: DAY(1) };

  it('shows a user as registered, with the last login', () =>
    given(users, registered('ann@example.com'), loggedIn).then((found) =>
      expect(found['users']).to.deep.equal({ user_1: { ...ann, lastLoginAt: DAY(2), hasSecondFactor: false } }),
    ));

  it('shows the latest name, and whether there is a second factor', async () => {
    const changes = [
      userEvents.UserRenamed.of({ userId: 'user_1', name: 'Ann Lee' }),
      userEvents.UserSecondFactorEnabled.of({ userId: 'user_1' }),
    ].map((event) => past(stream, event, DAY(3)));
    const after = { ...ann, name: 'Ann Lee', lastLoginAt: DAY(2), hasSecondFactor: true };
    const on = await given(users, registered('ann@example.com'), loggedIn, ...changes);
    expect(on['users']).to.deep.equal({ user_1: after });
    const removed = past(stream, userEvents.UserSecondFactorDisabled.of({ userId: 'user_1' }), DAY(4));
    const off = await given(users, registered('ann@example.com'), loggedIn, ...changes, removed);
    expect(off['users']).to.deep.equal({ user_1: { ...after, hasSecondFactor: false } });
  });

  it('shows no email once its key is gone', () =>
    given(users, registered(null)).then((found) => expect(found['users']?.['user_1']).to.include({ email: null })));
});
