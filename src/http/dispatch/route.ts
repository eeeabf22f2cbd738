// What an endpoint is: one value with its method, path, callers, input schemas and handler. The table of all is `routes.ts`.
import type { z } from 'zod';
import type { Requester } from '../../commands/handling/deps.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Permission } from '../../domain/project/roles.js';
import type { Sight } from '../../domain/values/field-groups.js';
import type { Access, AccountAccess, Caller, ProjectAccess, Scope } from './caller.js';
import type { HttpError } from '../bodies/errors.js';
import type { ReadyJson } from '../bodies/send-json.js';
import type { Services } from './services.js';

export type Input<P, Q, B> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The body's bytes as text, for what must be kept as it was sent. */
  readonly rawBody: string;
  readonly caller: Caller;
  /** The address that asks, behind the proxies that are trusted. */
  readonly ip: string;
  readonly scope: Scope;
  /** Which fields the caller sees. Responses need no care; what a search may look in does, and a text that is made before. */
  readonly sight: Sight;
  /** A body of the route's without what the caller may not see, for a response that is a text. */
  readonly leaveOut: (body: object) => object;
  /** False: the request may write nothing, not even that somebody was seen. A HEAD, or somebody who may only read. */
  readonly mayWrite: boolean;
  /** Actor and request id, for commands. */
  readonly by: Requester;
  readonly header: (name: string) => string | undefined;
  /** Which of the media types the caller likes best, the earlier of equals; null for none of them. */
  readonly accepts: (types: readonly string[]) => string | null;
};

/** What is known of a request before its body. */
export type Door = {
  readonly params: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
};

export type ResponseType = 'application/json' | 'text/event-stream';

export type SuccessStatus = 200 | 201 | 202;

/**
 * `after`: read models that must show the position before the response leaves, so that the caller reads its own write. A `body` that is
 * read from them is a function, called once they do. `etag`: clients ask for it again and again, and may keep it as long as it is the same.
 */
export type RouteResponse = {
  readonly status?: SuccessStatus;
  readonly body: object | (() => Promise<object>);
  readonly after?: { readonly readModels: readonly { readonly name: string }[]; readonly position: LogPosition | null };
  readonly isSecret?: boolean;
  readonly etag?: boolean;
  /** A whole `Set-Cookie`. It is not given again with a response that was kept under an idempotency key. */
  readonly cookie?: string;
};

export type Route = {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly access: Access;
  /** What roles and scopes must allow; null for requests about no project. */
  readonly permission: Permission | null;
  /** Names the operation too: the text up to the first punctuation mark becomes the operation's id. */
  readonly summary: string;
  /** More of it, in Markdown, for the page of the interface. */
  readonly description: string | null;
  /** A body as somebody would send it at first. */
  readonly example: unknown;
  readonly params: z.ZodType | null;
  readonly query: z.ZodType | null;
  readonly body: z.ZodType | null;
  /** `small` 8 kB for credentials, `store` 256 kB for what stores sign, else 1 MiB. */
  readonly bodyLimit: 'small' | 'store' | 'default';
  /** For credentials that are no headers of ours: asked before the body is read. Throws {@link HttpError} 401. */
  readonly admit: ((door: Door, services: Services) => Promise<void>) | null;
  /** Before a response that was kept under an idempotency key is given again. Throws {@link HttpError} 409 where it must not be. */
  readonly onRepeat: ((kept: object, scope: Scope, services: Services) => Promise<void>) | null;
  /** Separates requests without a credential under their idempotency keys: by what their body names. */
  readonly repeatedBy: ((body: never) => string) | null;
  /** What a success carries, exactly. Not checked on the way out: the tests check every response they get. */
  readonly response: z.ZodType;
  /** `text/event-stream`: the response goes on until one side ends it; `response` is the form of each line's data. */
  readonly responseType: ResponseType;
  /** With which a request succeeds. */
  readonly statuses: readonly SuccessStatus[];
  /**
   * For a GET without a query and without `X-Position`: the response that `handle` would give, with status 200, from the response cache.
   * Under parameters that the schema refuses nothing must be found.
   */
  readonly cached: ((request: RequestHead, services: Services) => CachedBody | undefined) | null;
  readonly handle: (input: Input<never, never, never>, services: Services) => Promise<RouteResponse>;
};

/** `etag` as in {@link RouteResponse}. */
export type CachedBody = { readonly body: ReadyJson; readonly etag: boolean };

/** A request that is authorised, before its parameters are checked. */
export type RequestHead = Pick<
  Input<Readonly<Record<string, string>>, never, never>,
  'params' | 'caller' | 'scope' | 'sight' | 'leaveOut'
>;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A route about a project says what must be allowed there. */
type Guarded =
  | { readonly access: ProjectAccess; readonly permission: Permission }
  | { readonly access: AccountAccess; readonly permission?: never };

type Spec<P, Q, B> = Guarded & {
  readonly method: Route['method'];
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly example?: B extends z.ZodType ? z.input<B> : undefined;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyLimit?: Route['bodyLimit'];
  readonly admit?: NonNullable<Route['admit']>;
  readonly onRepeat?: NonNullable<Route['onRepeat']>;
  readonly repeatedBy?: (body: Parsed<B>) => string;
  readonly response: z.ZodType;
  /** JSON unless given. */
  readonly responseType?: ResponseType;
  /** 200 alone unless given. */
  readonly statuses?: Route['statuses'];
  readonly cached?: NonNullable<Route['cached']>;
  readonly handle: (input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>, services: Services) => Promise<RouteResponse>;
};

export function defineRoute<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: Spec<P, Q, B>): Route {
  const { description = null, example, params = null, query = null, body = null } = spec;
  const { bodyLimit = 'default', statuses = [200], permission = null } = spec;
  const { responseType = 'application/json', admit = null, onRepeat = null, cached = null, handle, ...rest } = spec;
  const input = { description, example, params, query, body, bodyLimit };
  const options = { ...input, responseType, statuses, admit, onRepeat, cached };
  const repeatedBy = (spec.repeatedBy ?? null) as Route['repeatedBy'];
  return { ...rest, ...options, permission, repeatedBy, handle: handle as Route['handle'] };
}

/** The read models that a response shows. */
export function shownIn(
  position: LogPosition | null,
  ...readModels: readonly { readonly name: string }[]
): NonNullable<RouteResponse['after']> {
  return { readModels, position };
}
