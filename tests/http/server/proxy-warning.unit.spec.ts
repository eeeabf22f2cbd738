// A proxy that the configuration does not know is reported once.
import { expect } from 'chai';
import { warnOfUnknownProxy } from '../../../src/http/server/listener.js';

describe('a request with X-Forwarded-For', () => {
  const warningsFor = (trustProxy: number | string, headers: readonly Record<string, string>[]) => {
    const warnings: string[] = [];
    let served = 0;
    const log = { warn: (_fields: object, text: string) => void warnings.push(text) } as never;
    const watched = warnOfUnknownProxy(trustProxy, log);
    const [first, second] = [watched(() => (served += 1)), watched(() => (served += 1))];
    for (const one of headers) {
      for (const listener of [first, second]) listener({ headers: one, socket: {} } as never, {} as never);
    }
    expect(served).to.equal(2 * headers.length);
    return warnings;
  };
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };

  it('is reported once for all listeners while TRUST_PROXY is 0', () => {
    const [warning, ...others] = warningsFor(0, [{}, forwarded, forwarded]);
    expect(warning).to.match(/^X-Forwarded-For is ignored because TRUST_PROXY is 0: .* Set TRUST_PROXY to the number/);
    expect(others).to.deep.equal([]);
  });

  it('is not reported where proxies are trusted, nor without the header', () => {
    for (const trustProxy of [1, 'loopback']) expect(warningsFor(trustProxy, [forwarded])).to.deep.equal([]);
    expect(warningsFor(0, [{}])).to.deep.equal([]);
  });
});
