// The document that readers and tools get: valid, complete, and true where it can be tried.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { z } from 'zod';
import { openApiDocument } from '../../../scripts/openapi/document.js';
import { walk } from '../../../scripts/openapi/guide.js';
import { responseExamples } from '../../../scripts/openapi/examples.js';
import { routes } from '../../../src/http/routes.js';
import { nameOf } from '../support/route-samples.js';
import { setUpHarness } from '../support/setup.js';

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly in?: string; readonly name?: string; readonly description?: string }[];
  readonly responses: Readonly<Record<string, object>>;
};
type Document = {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const run = promisify(execFile);

type Success = { readonly content: Readonly<Record<string, { readonly example?: object }>> };
const responseExampleOf = (operation: Operation | undefined) =>
  (operation?.responses['200'] as Success | undefined)?.content['application/json'] ?? {};

describe('the OpenAPI document', () => {
  const document = openApiDocument(routes) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

  it('is valid by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result, JSON.stringify(result)).to.include({ valid: true });
    expect([document.openapi, validator.version]).to.deep.equal(['3.1.0', '3.1']);
  });

  it('has every route', () =>
    expect(operations.map((o) => o.name)).to.include.members(
      routes.map((route) => nameOf(route).replace(/:(\w+)/g, '{$1}')),
    ));

  it('names each operation once', () => {
    const ids = operations.map((o) => o.operation.operationId);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).to.deep.equal([]);
    for (const id of ids) expect(id).to.match(/^[a-z][A-Za-z]{2,50}$/);
  });

  it('describes of each operation what it does, its chapter, and all parts of its path', () => {
    const chapters = new Set(document.tags.map((t) => t.name));
    for (const { name, operation } of operations) {
      expect(operation.summary, name).to.match(/^[A-Z].{5,100}$/);
      expect(
        operation.tags.every((tag) => chapters.has(tag)),
        name,
      ).to.equal(true);
      const named = (operation.parameters ?? []).filter((p) => p.in === 'path');
      expect(
        named.map((p) => `{${p.name ?? ''}}`),
        name,
      ).to.have.members(name.match(/\{\w+\}/g) ?? []);
      for (const p of named) expect(p.description, `${name} ${p.name ?? ''}`).to.be.a('string');
    }
  });

  it('points nowhere outside itself, and at nothing that is missing', () => {
    for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)) {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      expect(found, pointer).to.be.an('object');
    }
  });

  for (const route of routes.filter((r) => r.example !== undefined)) {
    it(`shows a body that ${nameOf(route)} takes`, () =>
      expect(route.body?.safeParse(route.example).error?.message).to.equal(undefined));
  }

  it('shows an example of each response, of the form that it documents', () => {
    for (const route of routes) {
      const examples = responseExamples[nameOf(route)] ?? {};
      const shown = Object.keys(examples).map(Number);
      expect(shown, `${nameOf(route)}: run npm run examples`).to.have.members([...route.statuses]);
      for (const example of Object.values(examples)) {
        const { error } = route.response.safeParse(example);
        expect(error && z.prettifyError(error), `${nameOf(route)}: run npm run examples`).to.equal(undefined);
      }
    }
    expect(Object.keys(responseExamples)).to.have.members(routes.map(nameOf));
    const { example } = responseExampleOf(document.paths['/v1/projects/{id}/customers/{cid}/access']?.['get']);
    expect(example).to.include({ object: 'accessExplanation', has: true });
  });

  describe('as it is served', () => {
    const harness = setUpHarness();
    const fetchFrom = (path: string) => fetch(`${harness.service().url ?? ''}${path}`);

    it('needs no credentials', async () => {
      const response = await fetchFrom('/openapi.json');
      expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(await response.json()).to.deep.equal(JSON.parse(JSON.stringify(document)));
    });

    it('is shown by a page that loads from this server alone', async () => {
      const page = await fetchFrom('/docs');
      const html = await page.text();
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).to.match(/^default-src 'none';script-src 'self';/);
      const loaded = [...html.matchAll(/(?:src|href|spec-url)="([^"]*)"/g)].map(([, address]) => address);
      expect(loaded).to.deep.equal(['/openapi.json', '/docs/redoc.js']);
      const viewer = await fetchFrom('/docs/redoc.js');
      expect([viewer.status, viewer.headers.get('content-type')]).to.deep.equal([
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect((await viewer.text()).length).to.be.above(500_000);
    });

    it('begins with a walk that works', async () => {
      const url = harness.service().url ?? '';
      const { stdout, stderr } = await run('bash', ['--norc', '-eu', '-c', walk], { env: { ...process.env, url } });
      expect(stderr).to.equal('');
      const [entitlement, attached, address, customer, expiresAt, isActive, ...scenario] = stdout.trim().split('\n');
      expect(entitlement).to.match(/^ent_/);
      expect(attached).to.equal('1');
      expect(address).to.match(/\/v1\/store\/ios-store\/./);
      expect([customer, isActive]).to.deep.equal(['alice', 'true']);
      expect(Date.parse(expiresAt ?? '')).to.be.above(Date.now());
      expect(scenario.join('\n')).to.match(/pro/i);
    });
  });
});
