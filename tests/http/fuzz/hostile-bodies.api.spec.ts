// Bodies that are as large as allowed and made to cost time, on every route that anybody, or anybody with a public key, can call.
import { expect } from 'chai';
import { z } from 'zod';
import { compatRoutes } from '../../../src/http/compat/routes.js';
import type { Route } from '../../../src/http/dispatch/route.js';
import { routes } from '../../../src/http/routes.js';
import { watchLoop, type LoopWatch } from '../support/loop-watch.js';
import { setUpService } from '../support/setup.js';

const ACCESS: ReadonlySet<string> = new Set(['open', 'sdk', 'sdkKey', 'store']);
const SIZES = { small: 8_000, store: 250_000, receipt: 8_000_000 } as const;

const repeat = (part: string, bytes: number) =>
  Array(Math.max(1, Math.floor(bytes / (part.length + 1))))
    .fill(part)
    .join();
const fields = (value: string, bytes: number, prefix = 'f') =>
  `{${Array.from({ length: Math.floor(bytes / (value.length + 12)) }, (_, n) => `"${prefix}${n}":${value}`).join()}}`;

/** Values in JSON of about the given size. */
const values: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in a list': (bytes) => `[${repeat('[]', bytes)}]`,
  'objects in a list': (bytes) => `[${repeat('{}', bytes)}]`,
  'numbers in a list': (bytes) => `[${repeat('0', bytes)}]`,
  'texts in a list': (bytes) => `[${repeat('"a"', bytes)}]`,
  'many fields': (bytes) => fields('""', bytes),
  'many reserved fields': (bytes) => fields('{"value":"a"}', bytes, '$f'),
  'a long text': (bytes) => `"${'a'.repeat(bytes)}"`,
  'a text of spaces': (bytes) => `"${' '.repeat(bytes)}x"`,
  'a text of digits': (bytes) => `"${'1'.repeat(bytes)}"`,
  'a text like a token': (bytes) => `"${'a.'.repeat(bytes / 2)}"`,
  'a long number': (bytes) => '1'.repeat(bytes),
  'a long name': (bytes) => `{"${'a'.repeat(bytes)}":""}`,
};

function propertiesOf(body: z.ZodType): readonly string[] {
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  const forms = [schema, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])] as { properties?: object }[];
  return [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

describe('a body that is made to cost time', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  let watch: LoopWatch;
  before(() => void (watch = watchLoop()));
  after(() => watch.close());

  const send = async (isCompat: boolean, route: Route, body: string) => {
    const { url = '', compatUrl = '' } = harness.service();
    const path = route.path.replace(/:\w+/g, 'ann');
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${slice.publicKey}`,
      'x-api-key': slice.publicKey,
    };
    const response = await fetch(`${isCompat ? compatUrl : url}${path}`, {
      method: route.method.toUpperCase(),
      headers,
      body,
    });
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  };

  for (const [name, isCompat, table] of [
    ['REST API', false, routes],
    ['compatibility API', true, compatRoutes],
  ] as const)
    for (const route of table.filter(({ access, body }) => ACCESS.has(access) && body))
      it(`of ${route.method.toUpperCase()} ${route.path} in the ${name} is answered soon`, async () => {
        const bytes =
          route.bodyLimit === 'default' || !(route.bodyLimit in SIZES) ? 1_000_000 : SIZES[route.bodyLimit as 'small'];
        const names = route.body ? propertiesOf(route.body) : [];
        for (const [kind, value] of Object.entries(values)) {
          const all = `{${names.map((field) => `"${field}":${value(bytes / names.length)}`).join()}}`;
          for (const body of [value(bytes), ...(names.length > 0 ? [all] : [])]) {
            const about = `${route.method} ${route.path} with ${kind}`;
            const response = await watch.during(about, () => send(isCompat, route, body));
            expect(response.status, about).to.be.below(504).and.not.equal(500);
            expect(response.bytes, about).to.be.below(10_000);
          }
        }
      });
});
