// Configuration from the environment, read once. All problems are reported together; a secret may be in a file given by `<NAME>_FILE`.
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { storedSecrets } from './data-directory.js';
import { loadRootCertificates } from '../ios-store/root-certificates.js';
import { fileFault, WrongConfiguration } from './wrong-configuration.js';

const ROLES = ['http', 'projector', 'worker'] as const;
export type Role = (typeof ROLES)[number];

const list = z.string().transform((s) =>
  s
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
/** Digits only: a space, which a number could be read from, is a mistake. */
const wholeNumber = (min: number, max: number, what = 'a whole number') =>
  z.string().transform((text, ctx) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    ctx.addIssue({ code: 'custom', message: `must be ${what} from ${min} to ${max}` });
    return z.NEVER;
  });
const port = () => wholeNumber(0, 65_535, 'a port');
const oneOf = <const T extends string>(...words: readonly [T, ...T[]]) =>
  z.enum(words, `must be ${words.join(' or ')}`);
/** URL without query and fragment, since paths are appended to it. */
const url = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://subledger.example.com' })
  .regex(/^[^?#]+$/, 'must be an address without ? and #');
/** URL whose trailing slash is removed. */
const address = url.transform((s) => s.replace(/(?<!\/)\/+$/, ''));
const flag = oneOf('true', 'false').transform((s) => s === 'true');

const origin = z
  .url({ protocol: /^https?$/, error: 'must be origins such as https://dashboard.example.com' })
  // Also called for text that is not a URL.
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be origins such as https://dashboard.example.com, without a path',
  );

const hostName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'must be a host name such as sdk.example.com');

/** Address of a listener. */
const hostAndPort = z.string().transform((text, ctx) => {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text.trim()) ?? [];
  if (host !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  ctx.addIssue({ code: 'custom', message: 'must be host:port such as 127.0.0.1:3100' });
  return z.NEVER;
});

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
const isProxy = (text: string) => {
  const [address = '', bits] = text.split('/');
  const isRange = bits === undefined || (ipaddr.isValidCIDR(text) && Number(bits) > 0);
  return NAMED_RANGES.includes(text) || (isIP(address) > 0 && isRange);
};
/**
 * Number of trusted proxies, or their addresses. A trusted proxy determines the client address of a request, so trusting every address is
 * not allowed.
 */
const proxies = z
  .string()
  .refine(
    (text) => /^\d{1,3}$/.test(text.trim()) || text.split(',').every((part) => isProxy(part.trim())),
    'must be the number of proxies in front, or their addresses such as 10.0.0.0/8,loopback',
  );

/** Delays before the attempts; the first is usually 0. */
const retrySchedule = list.pipe(
  z
    .array(
      z
        .string()
        .regex(/^\d{1,6}(\.\d{1,3})?$/, 'must be waits in seconds such as 0,5,300')
        .transform(Number),
    )
    .min(1, 'must name at least one wait')
    .max(50),
);

const masterKeys = z.string().transform((text, ctx) => {
  const ring = text.split(',').map((part, i) => {
    const [first, second] = part.trim().split(':');
    const [id, value] = second === undefined ? [`k${i + 1}`, first] : [first, second];
    return { id: id ?? '', key: Buffer.from(value ?? '', 'base64') };
  });
  const [current, ...older] = ring;
  const isSound = ring.every((k) => /^[A-Za-z0-9]{1,20}$/.test(k.id) && k.key.length === 32);
  if (current && isSound) return [current, ...older] as const;
  ctx.addIssue({ code: 'custom', message: 'must be 32 bytes in base64, or a ring such as k2:…,k1:…' });
  return z.NEVER;
});

const SECRETS = ['MASTER_KEY', 'JWT_SECRET'] as const;
/** Settings that `<NAME>_FILE` may give: the secrets, and the URLs, which may contain passwords. */
const IN_FILES = [...SECRETS, 'EVENTSTORE_URL', 'MONGODB_URL', 'REVENUECAT_API_KEY'] as const;
const DATA_DIR = './data';
type Environment = Readonly<Record<string, string | undefined>>;

const settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port().default(3000),
  COMPAT_PORT: port().optional(),
  COMPAT_HOST_NAME: hostName.optional(),
  MCP: flag.default(false),
  MCP_HOST_NAMES: list.pipe(z.array(hostName)).default([]),
  MCP_PII: flag.default(false),
  METRICS_PORT: port().optional(),
  PUBLIC_URL: url.optional(),
  ROLES: list
    .pipe(z.array(oneOf(...ROLES)).min(1, `must name at least one of ${ROLES.join(', ')}`))
    .default([...ROLES]),
  DATA_DIR: z.string().min(1).default(DATA_DIR),
  EVENTSTORE_URL: z
    .string()
    .regex(/^(esdb|kurrentdb)(\+discover)?:\/\/\S+$/, 'must be kurrentdb://host:port or esdb://host:port')
    .optional(),
  EVENTSTORE_NAMESPACE: z
    .string()
    .regex(/^[a-z][A-Za-z0-9_]*\.$/, 'must be letters and digits that end with a dot, such as staging.')
    .optional(),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be mongodb://host:port/database')
    .optional(),
  MASTER_KEY: masterKeys.optional(),
  JWT_SECRET: z.string().min(32, 'must have at least 32 bytes').optional(),
  ACCESS_TOKEN_TTL_SECONDS: wholeNumber(1, 86_400).default(3600),
  REFRESH_TOKEN_TTL_SECONDS: wholeNumber(1, 31_536_000).default(2_592_000),
  /** Without a value, `registrationOf` decides. */
  REGISTRATION: oneOf('open', 'first_user_only', 'closed').optional(),
  MAX_PROJECTS_PER_USER: wholeNumber(0, 1_000_000).default(100),
  RATE_LIMITS: oneOf('on', 'off').default('on'),
  DASHBOARD: oneOf('on', 'off').optional(),
  DASHBOARD_HOST: hostAndPort.optional(),
  RESPONSE_CACHE_MB: wholeNumber(0, 65_536).optional(),
  CHART_MEMORY_MB: wholeNumber(1, 1_048_576).optional(),
  CHART_THREADS: wholeNumber(1, 64).optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  TRUST_PROXY: proxies.default('0'),
  CORS_ORIGINS: list.pipe(z.array(origin)).default([]),
  EGRESS_ALLOW_CIDRS: list
    .pipe(z.array(z.string().refine((c) => ipaddr.isValidCIDR(c), 'must be address ranges such as 10.0.0.0/8')))
    .default([]),
  EGRESS_ALLOW_HTTP: flag.default(false),
  WEBHOOK_RETRY_SCHEDULE_SECONDS: retrySchedule.optional(),
  SETTLE_SLACK_SECONDS: wholeNumber(0, 31_536_000).default(3600),
  DRAIN_SECONDS: wholeNumber(0, 300).default(5),
  IMPORT_MAX_MB: wholeNumber(1, 65_536).default(1024),
  IMPORT_MAX_ROWS: wholeNumber(1, 1_000_000_000).default(10_000_000),
  IOS_STORE_ROOT_CERTIFICATES: list.default([]),
  IOS_STORE_ONLINE_CHECKS: flag.default(false),
  IOS_STORE_API_URL: address.default('https://api.storekit.itunes.apple.com'),
  IOS_STORE_SANDBOX_API_URL: address.default('https://api.storekit-sandbox.itunes.apple.com'),
  IOS_STORE_REPORTS_URL: address.default('https://api.appstoreconnect.apple.com'),
  ANDROID_STORE_API_URL: address.default('https://androidpublisher.googleapis.com'),
  ANDROID_STORE_TOKEN_URL: address.default('https://oauth2.googleapis.com/token'),
  ANDROID_STORE_JWKS_URL: address.default('https://www.googleapis.com/oauth2/v3/certs'),
  ANDROID_STORE_REPORTS_URL: address.default('https://storage.googleapis.com'),
  REVENUECAT_API_KEY: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  REVENUECAT_PROJECT_ID: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  REVENUECAT_API_URL: address.default('https://api.revenuecat.com'),
});

/** Secrets are required with servers: a single process creates its own in the data directory, several processes must share them. */
const schema = settings.superRefine((config, ctx) => {
  const server = (['EVENTSTORE_URL', 'MONGODB_URL'] as const).find((name) => config[name] !== undefined);
  for (const name of SECRETS) {
    if (server === undefined || config[name] !== undefined) continue;
    ctx.addIssue({ code: 'custom', path: [name], message: `must be set together with ${server}` });
  }
});

export type Config = z.output<typeof schema>;

/** Names of all variables, except `<NAME>_FILE`. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

/** Reads the configuration. Empty variables count as unset. Throws {@link WrongConfiguration}. */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const settings: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  );
  for (const name of IN_FILES) {
    const file = settings[`${name}_FILE`];
    if (file === undefined) continue;
    try {
      settings[name] = readFileSync(file, 'utf8').trim();
    } catch (err) {
      problems.push(`${name}_FILE: ${file} ${fileFault(err)}; give the path of a file that contains ${name}`);
    }
  }
  const parsed = schema.safeParse(settings);
  // Parts of a list are numbered in the path, and may all be wrong in the same way.
  const issues = (parsed.error?.issues ?? []).map(({ path: [name], message }) => `${String(name)}: ${message}`);
  problems.push(...new Set(issues));
  problems.push(...findFileProblems(settings, parsed.data?.IOS_STORE_ROOT_CERTIFICATES));
  if (!parsed.success || problems.length > 0) throw new WrongConfiguration(problems);
  return parsed.data;
}

/** Checks the files that the process would read later, so that all problems are reported together. */
function findFileProblems(environment: Environment, roots: readonly string[] = []): string[] {
  const problems: string[] = [];
  const directory = environment['DATA_DIR'] ?? DATA_DIR;
  for (const { file, name, fault } of storedSecrets) {
    const path = join(directory, file);
    if (environment[name] !== undefined || hasServer(environment) || !existsSync(path)) continue;
    try {
      const problem = fault(readFileSync(path, 'utf8').trim());
      if (problem !== null) problems.push(`${name}: ${path} ${problem}, or set ${name}`);
    } catch (err) {
      problems.push(`${name}: ${path} ${fileFault(err)}; make it readable, or set ${name}`);
    }
  }
  try {
    loadRootCertificates(roots);
  } catch (err) {
    problems.push(messageOf(err));
  }
  return problems;
}

function hasServer(environment: Environment): boolean {
  return environment['EVENTSTORE_URL'] !== undefined || environment['MONGODB_URL'] !== undefined;
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}

/** Returns `TRUST_PROXY` in the form of Express: a number of proxies, or addresses. */
export function trustProxyOf(config: Config): number | string {
  const text = config.TRUST_PROXY.trim();
  return /^\d+$/.test(text) ? Number(text) : text;
}
