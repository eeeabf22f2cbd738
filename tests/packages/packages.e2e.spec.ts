// Both packages as users get them: packed, installed into an empty project, and used from there. Needs dist/.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startScript, type Running } from '../e2e/process.js';
import { installPacked, linkModule, run, type InstalledPackage } from './projects.js';

const compiler = fileURLToPath(new URL('../../node_modules/@typescript/native/bin/tsc', import.meta.url));

const CALL_FROM_JAVASCRIPT = `
import { createHmac } from 'node:crypto';
import { createClient } from '@subledger-server/client';
import { items } from '@subledger-server/client/items';
import { InvalidWebhook, verifyWebhook } from '@subledger-server/client/webhooks';

const baseUrl = process.argv[2];
const user = { email: 'me@example.com', password: 'correct horse battery' };
const { data: login, error } = await createClient({ baseUrl }).POST('/auth/register', { body: user });
if (error) throw new Error(error.message);
const client = createClient({ baseUrl, accessToken: login.accessToken });
await client.POST('/v1/projects', { body: { name: 'Stargazer' } });
for await (const { name } of items(client, '/v1/projects')) console.log(name);

const secret = 'whsec_' + Buffer.alloc(24, 1).toString('base64');
const timestamp = Math.floor(Date.now() / 1000);
const body = '{"type":"RENEWAL"}';
const signature = createHmac('sha256', Buffer.alloc(24, 1)).update(\`msg_1.\${timestamp}.\${body}\`).digest('base64');
const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': \`v1,\${signature}\` };
console.log(verifyWebhook(body, headers, secret).type);
try {
  verifyWebhook(body + ' ', headers, secret);
} catch (err) {
  console.log(err instanceof InvalidWebhook);
}
`;

const CALL_FROM_TYPESCRIPT = `
import { createClient, type Schemas } from '@subledger-server/client';
import { items } from '@subledger-server/client/items';
import { verifyWebhook } from '@subledger-server/client/webhooks';

const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'sk_1' });
export async function isPro(appUserId: string): Promise<boolean> {
  const { data, error } = await client.GET('/v1/subscribers/{appUserId}', { params: { path: { appUserId } } });
  if (error) throw new Error(error.message);
  const isActive: boolean | undefined = data.subscriber.entitlements['pro']?.isActive;
  return isActive ?? false;
}
export async function names(): Promise<string[]> {
  const names: string[] = [];
  for await (const project of items(client, '/v1/projects')) names.push(project.name);
  return names;
}
export const app: Schemas['App'] | null = null;
export const verify: (payload: string) => unknown = (payload) => verifyWebhook(payload, {}, 'whsec_');
// @ts-expect-error: a path that the API does not have
void client.GET('/v1/nothing');
// @ts-expect-error: a body without its required field
void client.POST('/v1/projects', { body: {} });
`;

describe('the packed packages', function () {
  this.timeout(300_000);
  const project = mkdtempSync(join(tmpdir(), 'subledger-packages-'));
  let service: InstalledPackage;
  let client: InstalledPackage;
  before(() => {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    service = installPacked('.', project);
    client = installPacked('dist/sdk', project);
    for (const name of ['@types/node', 'undici-types']) linkModule(name, project);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it('have one scope and one version, and may be published', () => {
    const [scope] = service.manifest.name.split('/');
    expect(scope).to.match(/^@./);
    expect([service.manifest.name, client.manifest.name]).to.deep.equal([`${scope}/subledger`, `${scope}/client`]);
    expect(client.manifest.version).to.equal(service.manifest.version);
    for (const { manifest } of [service, client]) expect(manifest).to.not.have.property('private');
  });

  it('contain what they need and nothing of the development', () => {
    expect(service.files).to.include.members([
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'openapi.json',
      'dist/cli/subledger.js',
      'dist/dashboard/index.html.gz',
      'dist/docs/openapi.json',
      'dist/docs/redoc.standalone.js',
    ]);
    expect(client.files).to.include.members(['LICENSE', 'README.md', 'client.js', 'client.d.ts', 'types.d.ts']);
    const isUnwanted = (path: string) =>
      /^(src|tests|bench|scripts|docs|data|node_modules)\/|(?<!\.d)\.tsx?$|\.spec\.|tsbuildinfo|\.build\.json|(^|\/)\.env$/.test(
        path,
      );
    expect([...service.files, ...client.files].filter(isUnwanted)).to.deep.equal([]);
    const isMapOfTypes = (path: string) => path.endsWith('types.js.map');
    expect([...service.files, ...client.files].filter(isMapOfTypes), 'maps without code').to.deep.equal([]);
  });

  it('of the client name a file for each of its entry points', () => {
    const { exports } = JSON.parse(readFileSync(join(client.folder, 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
    };
    const targets = Object.values(exports).flatMap((target) =>
      Object.values(typeof target === 'string' ? [target] : target),
    );
    expect(targets.length).to.be.above(6);
    expect(targets.filter((target) => !client.files.includes(target.slice(2)))).to.deep.equal([]);
  });

  describe('installed in an empty project', () => {
    let running: Running;
    const env = { DATA_DIR: join(project, 'data'), PORT: '0', LOG_LEVEL: 'info' };
    before(async () => {
      running = await startScript(join(project, 'node_modules/.bin/subledger'), ['serve'], env);
    });
    after(() => running.kill());

    it('serve the API, its documentation and the dashboard', async () => {
      const contentOf = async (path: string) => (await fetch(running.url + path)).text();
      const [document, page] = await Promise.all([contentOf('/openapi.json'), contentOf('/dashboard')]);
      expect(document).to.include('"/v1/subscribers/{appUserId}"');
      expect(page).to.match(/<script type="module"[^>]* src="[^"]+\.js"/);
    });

    it('are used from JavaScript', () => {
      writeFileSync(join(project, 'call.js'), CALL_FROM_JAVASCRIPT);
      const printed = run(process.execPath, ['call.js', running.url], project);
      expect(printed.trim().split('\n')).to.deep.equal(['Stargazer', 'RENEWAL', 'true']);
    });
  });

  it('play the demo', () => {
    const env = { DATA_DIR: join(project, 'demo'), PORT: '0', LOG_LEVEL: 'error' };
    const command = join(project, 'node_modules/.bin/subledger');
    expect(run(command, ['demo', '--exit', '--customers', '3', '--months', '2'], project, env)).to.include('timeline');
  });

  // Declarations are checked once, as in a project without skipLibCheck: that takes most of the time.
  const resolutions = [
    { module: 'NodeNext', moduleResolution: 'NodeNext', skipLibCheck: false },
    { module: 'ESNext', moduleResolution: 'Bundler', skipLibCheck: true },
  ];
  for (const resolution of resolutions) {
    it(`are typed for TypeScript with moduleResolution ${resolution.moduleResolution}`, () => {
      const folder = join(project, resolution.moduleResolution);
      mkdirSync(folder);
      const compilerOptions = { ...resolution, target: 'ES2023', strict: true, noEmit: true, types: ['node'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      writeFileSync(join(folder, 'call.ts'), CALL_FROM_TYPESCRIPT);
      run(process.execPath, [compiler, '-p', folder], project);
    });
  }
});
