// History of the account: logins, failed logins and changes, so that a stranger's use is noticed.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { eventWords } from '../names/kinds';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';

const WORDS: Readonly<Record<string, string>> = {
  UserRegistered: 'Account created',
  UserLoggedIn: 'Logged in',
  UserLogInFailed: 'Failed login (several soon after each other are shown once)',
  UserPasswordReset: 'Password reset',
  UserPasswordChanged: 'Password changed',
  UserRenamed: 'Name changed',
  UserSessionsEnded: 'Sessions ended',
  UserSecondFactorEnabled: 'Second factor put in effect',
  UserSecondFactorDisabled: 'Second factor removed',
  UserRecoveryCodesReplaced: 'Recovery codes replaced',
  UserRecoveryCodeUsed: 'Recovery code used',
  RefreshTokenReuseDetected: 'Session ended, because an old token of it was used again',
};

export function AccountHistory() {
  const read = useQuery('own-activity', (signal) => unwrap(api.GET('/auth/activity', { signal })));
  return (
    <section class="card" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <p class="hint">The latest 100 entries. If you do not recognise one, change your password.</p>
      <QueryView of={read} what="the history">
        {({ items }) => (
          <ul class="plain entries">
            {items.map(({ id, at, action, byOperator }) => (
              <li key={id} class="row">
                <Time at={at} /> {WORDS[action] ?? eventWords(action)}
                {byOperator && <span class="badge">by an operator</span>}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}
