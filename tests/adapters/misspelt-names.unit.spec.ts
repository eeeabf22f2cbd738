// Environment variables that nearly have the name of a setting.
import { expect } from 'chai';
import { settingNames } from '../../src/adapters/configuration/config.js';
import { findMisspeltNames } from '../../src/adapters/configuration/misspelt-names.js';

describe('misspelt names of settings', () => {
  for (const [name, nearest] of [
    ['MONGODB_URI', 'MONGODB_URL'],
    ['EVENT_STORE_URL', 'EVENTSTORE_URL'],
    ['MASTERKEY', 'MASTER_KEY'],
    ['PUBIC_URL', 'PUBLIC_URL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['metrics_port', 'METRICS_PORT'],
    ['KEPT_BODIES_MB', 'RESPONSE_CACHE_MB'],
  ] as const)
    it(`finds ${nearest} for ${name}`, () =>
      expect(findMisspeltNames([name], settingNames)).to.deep.equal([{ name, nearest }]));

  it('finds none for settings, and for variables of others', () => {
    const others = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'LANG',
      'NODE_ENV',
      'NODE_OPTIONS',
      'SSH_AUTH_SOCK',
      'npm_config_cache',
    ];
    expect(findMisspeltNames([...settingNames, ...others], settingNames)).to.deep.equal([]);
  });
});
