// Definition of an endpoint: method, path, callers, schemas and handler in one value. `routes.ts` lists all.
import type { z } from 'zod';
import type { Requester } from '../../commands/handling/deps.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Permission } from '../../domain/project/roles.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import type { Access, AccountAccess, Caller, ProjectAccess, Scope } from './caller.js';
import type { HttpError } from '../bodies/errors.js';
import { listBody, type ListOptions } from '../bodies/paging.js';
import { projectParams } from '../bodies/request-schemas.js';
import { listOf, type BodyOf } from '../bodies/response-schemas.js';
import type { PreparedBody, ReadyJson } from '../bodies/send-json.js';
import type { Services } from './services.js';

export type Input<P, Q, B> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Bytes of the body as text, for content that must be stored as it was sent. */
  readonly rawBody: string;
  /** Content of an uploaded file as it arrives, empty for other routes. Throws {@link HttpError} 400 if it is cut off. */
  readonly file: AsyncIterable<Uint8Array>;
  readonly caller: Caller;
  /** Client address behind the trusted proxies. */
  readonly ip: string;
  readonly scope: Scope;
  /** Fields that the caller may see. Responses are redacted later; only searches and texts rendered before need to respect it. */
  readonly visibility: FieldVisibility;
  /** Redacts a body of the route, for a response that is rendered as text. */
  readonly redact: <B extends object>(body: B) => B;
  /** False if the request must write nothing, not even the last-seen time: for HEAD and for callers who may only read. */
  readonly mayWrite: boolean;
  /** Actor and request ID, for commands. */
  readonly by: Requester;
  readonly header: (name: string) => string | undefined;
  /** Returns the media type that the caller prefers, the first of equals; null if none is accepted. */
  readonly accepts: (types: readonly string[]) => string | null;
};

/** Parts of a request that are available before its body. */
export type RequestHead = {
  readonly params: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
};

type ResponseType = 'application/json' | 'text/event-stream';

export type SuccessStatus = 200 | 201 | 202;

/**
 * `after`: read models that must show the position before the response is sent, so that the caller reads its own write. A `body` that is
 * read from them is a function, called after that. `etag`: the client may cache the response and revalidate it.
 */
export type RouteResponse<Body = object> = {
  readonly status?: SuccessStatus;
  readonly body: Body | PreparedBody | (() => Promise<Body>);
  readonly after?: { readonly readModels: readonly { readonly name: string }[]; readonly position: LogPosition | null };
  readonly isSecret?: boolean;
  readonly etag?: boolean;
  /**
   * IDs of customers in the body that no command of the request read. A response stored under an idempotency key is not sent again once one
   * of its customers was erased.
   */
  readonly customers?: readonly string[];
  /** Value of `Set-Cookie`. It is not sent again with a response that was stored under an idempotency key. */
  readonly cookie?: string;
};

export type Route = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly access: Access;
  /** Permission that the caller's role or scopes must include; null for requests without a project. */
  readonly permission: Permission | null;
  /** The text up to the first punctuation mark becomes the operation ID. */
  readonly summary: string;
  /** Details in Markdown for the API documentation. */
  readonly description: string | null;
  /** Example of a body. */
  readonly example: unknown;
  readonly params: z.ZodType | null;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  /** The body is a file of any type; the handler reads it and limits its size. */
  readonly takesFile: boolean;
  /** `small`: 8 KiB, for credentials. `store`: 256 KiB, for signed content of stores. `default`: 1 MiB. `receipt`: 8 MiB, for
   * app receipts with hundreds of purchases. */
  readonly bodyLimit: 'small' | 'store' | 'default' | 'receipt';
  /** Checks credentials that are not in the usual headers, before the body is read. Throws {@link HttpError} 401. */
  readonly admit: ((head: RequestHead, services: Services) => Promise<void>) | null;
  /** Runs before a response stored under an idempotency key is sent again. Throws {@link HttpError} 409 if it must not be. */
  readonly onRepeat: ((stored: object, scope: Scope, services: Services) => Promise<void>) | null;
  /** The request changes nothing, although it is a POST: an idempotency key has no effect. */
  readonly isPure: boolean;
  /** Returns a part of the body that separates the idempotency keys of requests without credentials. */
  readonly idempotencyScope: ((body: never) => string) | null;
  /** Returns the app user IDs in the body that a write is about: each counts as one in the path does. */
  readonly subscribersIn: ((body: never) => readonly string[]) | null;
  /** Exact schema of a success response. Responses are not validated at run time: the tests validate every response they get. */
  readonly response: z.ZodType;
  /** `text/event-stream`: the response continues until one side ends it; `response` is the schema of each message's data. */
  readonly responseType: ResponseType;
  /** Status codes of success; the first is the default of a response. */
  readonly statuses: readonly SuccessStatus[];
  /**
   * Returns the response that `handle` would give, with status 200, from the response cache: for a GET without a query and without
   * `X-Position`. Must return undefined for parameters that the schema refuses.
   */
  readonly cached: ((request: AuthorizedRequest, services: Services) => CachedBody | undefined) | null;
  readonly handle: (input: Input<never, never, never>, services: Services) => Promise<RouteResponse>;
};

/** `etag` as in {@link RouteResponse}. */
export type CachedBody = { readonly body: ReadyJson; readonly etag: boolean };

/** Authorised request whose parameters are not validated yet. */
export type AuthorizedRequest = Pick<
  Input<Readonly<Record<string, string>>, never, never>,
  'params' | 'caller' | 'scope' | 'visibility' | 'redact'
>;

type ParsedInput<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Routes with a project require a permission. Defaults: the access `project`, and the project's ID as the only parameter of its paths. */
type ProjectAccessRule = { readonly access?: ProjectAccess; readonly permission: Permission };
type AccessRule = ProjectAccessRule | { readonly access: AccountAccess; readonly permission?: never };

const defaults = {
  access: 'project',
  permission: null,
  description: null,
  example: undefined,
  query: null,
  body: null,
  takesFile: false,
  bodyLimit: 'default',
  admit: null,
  onRepeat: null,
  isPure: false,
  idempotencyScope: null,
  subscribersIn: null,
  responseType: 'application/json',
  statuses: [200],
  cached: null,
} as const satisfies Partial<Route>;

type TypedField = 'access' | 'permission' | 'query' | 'body' | 'example' | 'idempotencyScope' | 'subscribersIn';

type RouteDefinition<P, Q, B, R, X> = AccessRule &
  Pick<Route, 'method' | 'path' | 'summary'> & {
    readonly [F in Exclude<keyof typeof defaults, TypedField>]?: NonNullable<Route[F]>;
  } & {
    readonly example?: B extends z.ZodType ? z.input<B> : undefined;
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly response: R;
    readonly idempotencyScope?: (body: ParsedInput<B>) => string;
    readonly subscribersIn?: (body: ParsedInput<B>) => readonly string[];
    readonly handle: (
      input: Input<ParsedInput<P>, ParsedInput<Q>, ParsedInput<B>>,
      services: Services,
    ) => Promise<RouteResponse<X>>;
  };

export function defineRoute<
  R extends z.ZodType,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  const X extends BodyOf<R> = BodyOf<R>,
>(definition: RouteDefinition<P, Q, B, R, X>): Route {
  const params = definition.path.startsWith('/v1/projects/:id') ? projectParams : null;
  return { ...defaults, params, ...definition } as Route;
}

/** `lastId`: the ID after which the next page begins; null on the last page. */
type Page<Item> = Pick<ListOptions, 'lastId' | 'extra'> & { readonly items: readonly Item[] };

type ListDefinition<P, Q, I, X> = ProjectAccessRule &
  Pick<Route, 'path' | 'summary'> & {
    readonly description?: string;
    readonly params?: P;
    /** Query parameters; all but those of paging are filters, which the next page repeats. */
    readonly query?: Q;
    /** Schema of an item. */
    readonly item: I;
    readonly etag?: boolean;
    readonly list: (input: Input<ParsedInput<P>, ParsedInput<Q>, undefined>, services: Services) => Promise<Page<X>>;
  };

type PagingParameters = { readonly limit?: number; readonly startingAfter?: string };

/**
 * Defines a route that lists items. The URL of the list, and that of the next page with the same filters, are added here, so that a route
 * only reads its items.
 */
export function defineListRoute<
  I extends z.ZodType,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  const X extends BodyOf<I> = BodyOf<I>,
>({ item, etag = false, list, ...route }: ListDefinition<P, Q, I, X>): Route {
  return defineRoute<z.ZodType<object, object>, P, Q>({
    ...route,
    method: 'get',
    response: listOf(item),
    handle: async (input, services) => {
      const { items, lastId, extra } = await list(input, services);
      const { limit = items.length, startingAfter: _cursor, ...filters } = (input.query ?? {}) as PagingParameters;
      const url = urlOf(route.path, input.params as Readonly<Record<string, string>>);
      return { body: listBody(url, items, { lastId, limit, extra: { ...filters, ...extra } }), etag };
    },
  });
}

function urlOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Returns the position that these read models must show before a response. */
export function readModelsAt(
  position: LogPosition | null,
  ...readModels: readonly { readonly name: string }[]
): NonNullable<RouteResponse['after']> {
  return { readModels, position };
}
