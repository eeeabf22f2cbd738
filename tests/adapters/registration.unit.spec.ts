// Default of the registration setting.
import { expect } from 'chai';
import { readConfig } from '../../src/adapters/configuration/config.js';
import { registrationOf } from '../../src/main/registration.js';

describe('registration', () => {
  const cases: readonly (readonly [env: Record<string, string>, registration: string])[] = [
    [{}, 'open'],
    [{ HOST: '::1' }, 'open'],
    [{ HOST: '0.0.0.0' }, 'first_user_only'],
    [{ HOST: '::' }, 'first_user_only'],
    [{ PUBLIC_URL: 'https://subledger.example.com' }, 'first_user_only'],
    [{ PUBLIC_URL: 'http://localhost:3000' }, 'first_user_only'],
    [{ DASHBOARD_HOST: '127.0.0.1:3100' }, 'open'],
    [{ DASHBOARD_HOST: '10.0.0.1:3100' }, 'first_user_only'],
    [{ HOST: '0.0.0.0', REGISTRATION: 'open' }, 'open'],
    [{ REGISTRATION: 'closed' }, 'closed'],
  ];
  for (const [env, registration] of cases) {
    it(`is ${registration} with ${JSON.stringify(env)}`, () => {
      expect(registrationOf(readConfig(env)).registration).to.equal(registration);
    });
  }
});
