// The page's files: where they are served, and under which policy.
import { expect } from 'chai';
import { startHarness } from '../support/harness.js';
import { setUpHarness } from '../support/setup.js';

describe('the page', () => {
  const harness = setUpHarness();
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${harness.service().url ?? ''}${path}`, { headers });

  it('is the same document at every address within', async () => {
    for (const path of ['/dashboard', '/dashboard/projects/proj_1/customers']) {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('cache-control')).to.equal('no-cache');
      expect(await response.text()).to.include('<div id="page">');
    }
  });

  it('may load scripts and styles of its own only, and make no markup of text', async () => {
    const policy = (await get('/dashboard')).headers.get('content-security-policy') ?? '';
    for (const rule of [
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
      ...["font-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"],
    ]) {
      expect(policy.split(';')).to.include(rule);
    }
  });

  it('serves files with immutable caching, compressed on request', async () => {
    const [, script = ''] = /src="([^"]+\.js)"/.exec(await (await get('/dashboard')).text()) ?? [];
    const response = await get(script, { 'accept-encoding': 'gzip' });
    expect(response.headers.get('cache-control')).to.include('immutable');
    expect(response.headers.get('content-encoding')).to.equal('gzip');
    const whole = await get(script, { 'accept-encoding': 'identity' });
    expect(whole.headers.get('content-encoding')).to.equal(null);
    expect(await whole.text()).to.equal(await response.text());
    expect((await get('/dashboard/assets/none.js')).status).to.equal(404);
    expect((await get('/dashboard/assets/..%2Findex.html')).status).to.equal(404);
  });

  it('has its URL in the service', () =>
    expect(harness.service().dashboardUrl).to.equal(`${harness.service().url ?? ''}/dashboard`));
});

describe('the page, as it is configured', () => {
  const statusesWith = async (env: Record<string, string>) => {
    const harness = await startHarness(env);
    const { url, dashboardUrl } = harness.service();
    const main = (await fetch(`${url ?? ''}/dashboard`)).status;
    const apart = dashboardUrl === null ? null : (await fetch(dashboardUrl)).status;
    const api = dashboardUrl === null ? null : (await fetch(new URL('/livez', dashboardUrl))).status;
    await harness.stop();
    return { main, apart, api };
  };

  it('is not served when off', async () =>
    expect(await statusesWith({ DASHBOARD: 'off' })).to.deep.equal({ main: 404, apart: null, api: null }));
  it('is not served on public addresses unless enabled', async () =>
    expect(await statusesWith({ HOST: '0.0.0.0' })).to.deep.equal({ main: 404, apart: null, api: null }));
  it('can have a separate address, which also serves the API', async () =>
    expect(await statusesWith({ DASHBOARD_HOST: '127.0.0.1:0' })).to.deep.equal({ main: 404, apart: 200, api: 200 }));
});
