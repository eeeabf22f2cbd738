// Definition of an endpoint: method, path, callers, schemas and handler in one value. `routes.ts` lists all.
import type { z } from 'zod';
import type { Requester } from '../../commands/handling/deps.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Permission } from '../../domain/project/roles.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import type { Access, AccountAccess, Caller, ProjectAccess, Scope } from './caller.js';
import type { HttpError } from '../bodies/errors.js';
import type { ReadyJson } from '../bodies/send-json.js';
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
  readonly sight: FieldVisibility;
  /** Redacts a body of the route, for a response that is rendered as text. */
  readonly leaveOut: (body: object) => object;
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

export type ResponseType = 'application/json' | 'text/event-stream';

export type SuccessStatus = 200 | 201 | 202;

/**
 * `after`: read models that must show the position before the response is sent, so that the caller reads its own write. A `body` that is
 * read from them is a function, called after that. `etag`: the client may cache the response and revalidate it.
 */
export type RouteResponse = {
  readonly status?: SuccessStatus;
  readonly body: object | (() => Promise<object>);
  readonly after?: { readonly readModels: readonly { readonly name: string }[]; readonly position: LogPosition | null };
  readonly isSecret?: boolean;
  readonly etag?: boolean;
  /** Value of `Set-Cookie`. It is not sent again with a response that was stored under an idempotency key. */
  readonly cookie?: string;
};

export type Route = {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
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
  /** `small`: 8 KiB, for credentials. `store`: 256 KiB, for signed content of stores. `default`: 1 MiB. */
  readonly bodyLimit: 'small' | 'store' | 'default';
  /** Checks credentials that are not in the usual headers, before the body is read. Throws {@link HttpError} 401. */
  readonly admit: ((door: RequestHead, services: Services) => Promise<void>) | null;
  /** Runs before a response stored under an idempotency key is sent again. Throws {@link HttpError} 409 if it must not be. */
  readonly onRepeat: ((stored: object, scope: Scope, services: Services) => Promise<void>) | null;
  /** The request changes nothing, although it is a POST: an idempotency key has no effect. */
  readonly isPure: boolean;
  /** Returns a part of the body that separates the idempotency keys of requests without credentials. */
  readonly idempotencyScope: ((body: never) => string) | null;
  /** Exact schema of a success response. Responses are not validated at run time: the tests validate every response they get. */
  readonly response: z.ZodType;
  /** `text/event-stream`: the response continues until one side ends it; `response` is the schema of each message's data. */
  readonly responseType: ResponseType;
  /** Status codes of success. */
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
  'params' | 'caller' | 'scope' | 'sight' | 'leaveOut'
>;

type ParsedInput<S> = S extends z.ZodType ? z.output<S> : undefined;

/** Routes with a project require a permission. */
type RequiredPermission =
  | { readonly access: ProjectAccess; readonly permission: Permission }
  | { readonly access: AccountAccess; readonly permission?: never };

type RouteDefinition<P, Q, B> = RequiredPermission & {
  readonly method: Route['method'];
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly example?: B extends z.ZodType ? z.input<B> : undefined;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly takesFile?: true;
  readonly isPure?: true;
  readonly bodyLimit?: Route['bodyLimit'];
  readonly admit?: NonNullable<Route['admit']>;
  readonly onRepeat?: NonNullable<Route['onRepeat']>;
  readonly repeatedBy?: (body: ParsedInput<B>) => string;
  readonly response: z.ZodType;
  /** Default: JSON. */
  readonly responseType?: ResponseType;
  /** Default: 200 only. */
  readonly statuses?: Route['statuses'];
  readonly cached?: NonNullable<Route['cached']>;
  readonly handle: (
    input: Input<ParsedInput<P>, ParsedInput<Q>, ParsedInput<B>>,
    services: Services,
  ) => Promise<RouteResponse>;
};

export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: RouteDefinition<P, Q, B>): Route {
  const { description = null, example, params = null, query = null, body = null } = spec;
  const { takesFile = false, isPure = false } = spec;
  const { bodyLimit = 'default', statuses = [200], permission = null } = spec;
  const { responseType = 'application/json', admit = null, onRepeat = null, cached = null, handle, ...rest } = spec;
  const input = { description, example, params, query, body, takesFile, isPure, bodyLimit };
  const options = { ...input, responseType, statuses, admit, onRepeat, cached };
  const repeatedBy = (spec.repeatedBy ?? null) as Route['idempotencyScope'];
  return { ...rest, ...options, permission, idempotencyScope: repeatedBy, handle: handle };
}

/** Returns the position that these read models must show before a response. */
export function readModelsAt(
  position: LogPosition | null,
  ...readModels: readonly { readonly name: string }[]
): NonNullable<RouteResponse['after']> {
  return { readModels, position };
}
