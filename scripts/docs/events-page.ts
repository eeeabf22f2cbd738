// Generates docs/events.md: every event type, by the family of streams that it is written to.
import { readFileSync } from 'node:fs';
import { catalogEvents } from '../../src/domain/catalog/catalog.js';
import { offeringEvents } from '../../src/domain/catalog/offerings.js';
import { paywallEvents } from '../../src/domain/catalog/paywalls.js';
import { targetingEvents } from '../../src/domain/catalog/targeting.js';
import { customerConcerns, projectConcerns, type EventType } from '../../src/domain/events.js';
import { booksEvents } from '../../src/domain/books/events.js';
import { experimentEvents } from '../../src/domain/experiment/events.js';
import { certificatesEvents } from '../../src/domain/inbox/packed-body.js';
import { inboxEvents } from '../../src/domain/inbox/inbox.js';
import { projectEvents } from '../../src/domain/project/events.js';
import { purchaseEvents } from '../../src/domain/purchase/purchase.js';
import { ratesEvents } from '../../src/domain/rates/rates.js';
import { families, streams, type Family } from '../../src/domain/streams.js';
import { activityEvents, subscriberEvents } from '../../src/domain/subscriber/events/events.js';
import { userEvents } from '../../src/domain/user/user.js';
import { vocabulary } from '../../src/domain/vocabulary.js';
import { webhookEvents } from '../../src/domain/webhook/events.js';
import { eventMeanings } from './event-meanings.js';
import { blockDeclarations, declaration } from './field-types.js';
import { table } from './table.js';

type Section = {
  readonly stream: string;
  readonly holds: string;
  readonly tables: readonly object[];
};

const sections: Readonly<Record<Family, Section>> = {
  subscriber: {
    stream: streams.subscriber('{projectId}', 'cus_{key}'),
    holds: 'One customer: identity, attributes, subscriptions, one-time purchases, grants, experiments.',
    tables: [subscriberEvents],
  },
  purchase: {
    stream: streams.purchase('{projectId}', '{store}', '{key}'),
    holds: 'Who owns one purchase line. A stream can be created only once, so two receipts cannot both claim it.',
    tables: [purchaseEvents],
  },
  inbox: {
    stream: streams.inbox('{appId}', '{key}'),
    holds: 'One raw store notification, and its result.',
    tables: [inboxEvents],
  },
  certificates: {
    stream: streams.certificates('{key}'),
    holds:
      'Signing certificates of a store, stored once for all notifications that contain them; shared by all projects.',
    tables: [certificatesEvents],
  },
  activity: {
    stream: streams.activity('{projectId}', '{yyyymm}', 'cus_{key}'),
    holds: 'One month of one customer: use of the app, and custom events.',
    tables: [activityEvents],
  },
  project: {
    stream: streams.project('{projectId}'),
    holds: 'One project: its settings, its apps, its API keys.',
    tables: [projectEvents],
  },
  catalog: {
    stream: streams.catalog('{projectId}'),
    holds:
      'What one project sells: products, prices, entitlements, offerings, paywalls, placements and targeting rules.',
    tables: [catalogEvents, offeringEvents, paywallEvents, targetingEvents],
  },
  experiment: {
    stream: streams.experiment('{projectId}', '{experimentId}'),
    holds: 'One experiment. Its participants are in the subscriber streams.',
    tables: [experimentEvents],
  },
  webhook: {
    stream: streams.webhook('{projectId}', '{webhookId}'),
    holds: 'One webhook: its settings and its health. Secrets and deliveries are records, not events.',
    tables: [webhookEvents],
  },
  user: {
    stream: streams.user('{key}'),
    holds: 'One account of the dashboard interface. Passwords and tokens are never events.',
    tables: [userEvents],
  },
  books: {
    stream: streams.books('{projectId}', '{reportId}'),
    holds:
      'One financial report of a store: its lines in parts, then what it contains. `closings` in place of the report: settings and closed months of a project; `findings`: what comparisons found; the report followed by `_orders`: its orders that were looked up; a closing: its frozen figures in parts.',
    tables: [booksEvents],
  },
  rates: { stream: streams.rates(), holds: 'Exchange rates, shared by all projects.', tables: [ratesEvents] },
};

const EXAMPLE = new URL('../../tests/fixtures/events/SubscriptionRenewed.v1.json', import.meta.url);

/** Returns unformatted Markdown. Throws if an event type is in no section or has no description. */
export function eventsPage(): string {
  const order = Object.keys(sections) as Family[];
  const types = order.flatMap((family) => typesOf(sections[family]));
  const missing = vocabulary.filter((type) => !types.includes(type));
  if (missing.length > 0 || order.length !== families.length) {
    throw new Error(`not on the page: ${missing.map(({ name }) => name).join(', ')}`);
  }
  return [
    introduction(types.length),
    ...order.map((family) => section(family, sections[family])),
    `## Shared types\n\n${fenced(blockDeclarations())}`,
  ].join('\n\n');
}

function introduction(count: number): string {
  return `# Events and streams

Generated by \`npm run docs\` from the tables in \`src/domain\`. There are ${count} event types in ${families.length} families of streams.
An event is written once and never changed; all other state of the service is computed from events.

${table(
  ['Stream', 'Content'],
  Object.entries(sections).map(([family, { stream, holds }]) => [`[\`${stream}\`](#${family})`, holds]),
)}

A \`{key}\` is a keyed hash (HMAC-SHA256), so stream names contain no personal data. The family is the part before the first \`-\`.

## The envelope

An example of a stored event:

\`\`\`json
${readFileSync(EXAMPLE, 'utf8').trim()}
\`\`\`

${table(
  ['Field', 'Meaning'],
  [
    ['`id`', 'Derived from the stream, the command and the index in the command: a repeated command has the same IDs'],
    ['`type`, `v`', 'The type and its version. Older versions are converted when they are read'],
    ['`stream`, `revision`', 'The stream, and the index in it'],
    ['`position`', 'The place in the whole log: 20 digits, so that text order equals event order'],
    ['`meta.at`', 'When it took effect: the time of the store (UTC)'],
    ['`meta.recordedAt`', 'When the service learned of it (UTC). Never goes back within a stream'],
    ['`meta.actor`', '`user`, `api_key`, `store` or `system`, with an id; `via` names the tool of an assistant'],
    ['`meta.commandId`', 'The command that led to it'],
    ['`meta.causationId`, `meta.correlationId`', 'The cause of the event; the original request or notification'],
    ['`meta.inferred`', 'Derived from the state that the store reported, not from a message about this change'],
    ['`meta.update`, `meta.late`', 'Retained for late messages, see [order of arrival](order-of-arrival.md)'],
  ],
)}

Each event of a customer or of a project declares what it _touches_:

${table(
  ['Touches', 'Meaning'],
  Object.entries({ ...customerConcerns, ...projectConcerns }).map(([concern, what]) => [concern, what]),
)}

A _sealed_ field is encrypted with a data key of the person whose stream it is. After the key is deleted, the field is \`null\`.

Each version of each type has a stored example in \`tests/fixtures/events\`, all of which must stay readable:

\`\`\`sh no-run: part of npm test
npx mocha tests/domain/golden-events.unit.spec.ts
\`\`\``;
}

function section(family: Family, { stream, holds, tables }: Section): string {
  const types = typesOf({ stream, holds, tables });
  const statesTouches = types.every(({ touches }) => touches !== null);
  const rows = types.map((type) => [
    `\`${type.name}\``,
    String(type.version),
    meaningOf(type),
    ...(statesTouches ? [type.touches?.join(', ') ?? ''] : []),
  ]);
  const declarations = types.map((type) => declaration(type.name, type.schema)).join('\n\n');
  return `## ${family}

\`${stream}\`: ${holds}

${table(['Event', 'Version', 'Meaning', ...(statesTouches ? ['Touches'] : [])], rows)}

${fenced(declarations)}`;
}

function typesOf({ tables }: Section): EventType[] {
  return tables.flatMap((events) => Object.values(events) as EventType[]);
}

function meaningOf({ name, sealed }: EventType): string {
  const meaning = eventMeanings[name];
  if (meaning === undefined) throw new Error(`${name} has no description in event-meanings.ts`);
  const names = sealed.map((field) => `\`${field}\``).join(', ');
  return sealed.length === 0 ? meaning : `${meaning} Sealed: ${names}.`;
}

function fenced(declarations: string): string {
  return `\`\`\`ts\n${declarations}\n\`\`\``;
}
