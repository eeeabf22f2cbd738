// CORS: origins that may call the API from a browser.
import { expect } from 'chai';
import { startHarness, type Harness } from '../support/harness.js';

const DASHBOARD = 'https://dashboard.example.com';

describe('CORS', () => {
  let harness: Harness;
  const ask = (method: string, path: string, origin: string) =>
    fetch(`${harness.service().url ?? ''}${path}`, {
      method,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    });

  describe('without a list', () => {
    before(async () => {
      harness = await startHarness();
    });
    after(() => harness.stop());

    it('lets no page call', async () => {
      const response = await ask('GET', '/v1/projects', DASHBOARD);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).to.deep.equal([]);
      expect((await ask('OPTIONS', '/v1/projects', DASHBOARD)).status).to.equal(404);
    });
  });

  describe('with a list', () => {
    before(async () => {
      harness = await startHarness({ CORS_ORIGINS: `${DASHBOARD}, http://localhost:5173` });
    });
    after(() => harness.stop());

    for (const origin of [DASHBOARD, 'http://localhost:5173']) {
      it(`lets ${origin} call`, async () => {
        const response = await ask('GET', '/v1/projects', origin);
        expect(response.status).to.equal(401);
        expect(response.headers.get('access-control-allow-origin')).to.equal(origin);
        expect(response.headers.get('access-control-expose-headers')).to.include('x-request-id');
        expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
        expect(response.headers.get('vary')).to.match(/origin/i);
      });
    }

    it('answers the question before the request', async () => {
      const response = await ask('OPTIONS', '/v1/projects', DASHBOARD);
      expect(response.status).to.equal(204);
      expect(response.headers.get('access-control-allow-methods')).to.equal('GET,POST,PATCH,DELETE');
      expect(response.headers.get('access-control-allow-headers')).to.include('x-api-key');
    });

    it('lets no other page call', async () => {
      for (const origin of ['https://evil.example.com', `${DASHBOARD}.evil.com`, 'null']) {
        const response = await ask('OPTIONS', '/v1/projects', origin);
        expect(response.headers.get('access-control-allow-origin'), origin).to.equal(null);
      }
    });

    it('lets no browser page send store notifications', async () => {
      const response = await ask('POST', '/v1/store/ios-store/x', DASHBOARD);
      expect(response.headers.get('access-control-allow-origin')).to.equal(null);
    });
  });
});
