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
  it('shows a user as registered, whatever logging in adds', () =>
    given(
      users,
      registered('ann@example.com'),
      past(stream, userEvents.UserLoggedIn.of({ userId: 'user_1', sessionId: 'ses_1' }), DAY(2)),
    ).then((found) =>
      expect(found['users']).to.deep.equal({
        user_1: { userId: 'user_1', subject: stream, email: 'ann@example.com', name: 'Ann', createdAt: DAY(1) },
      }),
    ));

  it('shows no email once its key is gone', () =>
    given(users, registered(null)).then((found) => expect(found['users']?.['user_1']).to.include({ email: null })));
});
