// The front for what is asked most: Node's own server and a router, without what Express does for every request. It takes a request only
// when path and method leave no doubt; Express, which serves every route, has all others, so that both respond alike.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { Dispatch } from '../dispatch/dispatch.js';
import type { Params, Trust } from '../dispatch/exchange.js';
import type { Route } from '../dispatch/route.js';
import type { Cors } from './cors.js';

/** What all fronts share. */
export type Front = {
  readonly served: readonly { readonly route: Route; readonly perform: Dispatch }[];
  /** Null when no page of another origin may call. */
  readonly cors: Cors | null;
  readonly trust: Trust;
  /** Ends a response that went wrong outside of any route. */
  readonly fail: (res: ServerResponse, err: unknown) => void;
};

/** What every reader of addresses takes for the same path and query. */
const PLAIN = /^\/[\w\-.~%!$&'()*+,=:@/?]*$/;
/** No address holds it: routes are found by what was sent, not by what it stands for. */
const ESCAPE = '\u0001';
/** Longer than the longest that Node takes. */
const MOST_IN_PARAM = 65_536;

type Found = { readonly perform: Dispatch; readonly params: Params };

export function leanLane({ served, cors, trust, fail }: Front, express: RequestListener): RequestListener {
  const find = routerOf(served.filter(({ route }) => route.isHot));
  return (req, res) => {
    const found = find(req);
    if (!found) return express(req, res);
    const { perform, params } = found;
    const go = () => {
      try {
        perform({ req, res, params, trust })?.catch((err: unknown) => fail(res, err));
      } catch (err) {
        fail(res, err);
      }
    };
    if (cors) cors(req, res, go);
    else go();
  };
}

function routerOf(hot: Front['served']): (req: IncomingMessage) => Found | null {
  const router = findMyWay({ maxParamLength: MOST_IN_PARAM, querystringParser: () => ({}) });
  for (const { route, perform } of hot) {
    router.on(route.method.toUpperCase() as HTTPMethod, route.path, () => undefined, perform);
  }
  return ({ method, url = '' }) => {
    if ((method !== 'GET' && method !== 'POST') || !PLAIN.test(url)) return null;
    const isEscaped = url.includes('%');
    const found = router.find(method, isEscaped ? url.replaceAll('%', ESCAPE) : url);
    if (!found) return null;
    const params = isEscaped ? unescaped(found.params) : found.params;
    // Express has no route for an empty name.
    if (params === null || Object.values(params).includes('')) return null;
    return { perform: found.store as Dispatch, params: params as Params };
  };
}

/** Null when it is not valid percent-encoding. */
function unescaped(params: Readonly<Record<string, string | undefined>>): Params | null {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value = '']) => [name, decodeURIComponent(value.replaceAll(ESCAPE, '%'))]),
    );
  } catch {
    return null;
  }
}
