// Check whether stores can reach the notification address: what the address itself rules out, then one request to it from this service. The
// address is the operator's, and the request is guarded like any other to an address outside.
import { z } from 'zod';
import { bareHost, isInternalHost, isLocalName } from '../../adapters/outbound/address-rules.js';
import { OutboundFailure } from '../../domain/errors.js';
import { isStoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { parseJson, fieldsOf } from '../../domain/values/json.js';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

const verdicts = ['loopback', 'private', 'unencrypted', 'unreachable', 'other_service', 'reachable'] as const;
type Verdict = (typeof verdicts)[number];

const notificationCheck = z
  .strictObject({
    object: z.literal('notificationCheck'),
    address: z.string().meta({ description: 'Base address of the notification addresses.' }),
    verdict: z.enum(verdicts),
    sentence: z.string().meta({ description: 'What was found, and what to do.' }),
  })
  .meta({ id: 'NotificationCheck' });

const SET_PUBLIC_URL = 'Set PUBLIC_URL to the https:// address at which the internet reaches this service.';
const TIMEOUT_MS = 5000;

type Finding = readonly [verdict: Verdict, sentence: string];

/** Returns what rules the address out by its form alone, or null. */
function faultOfForm(address: string): Finding | null {
  const { hostname, protocol } = new URL(address);
  const host = bareHost(hostname);
  const isLoopback = isLocalName(host) || host === '::1' || /^127\.|^0\.0\.0\.0$|^::$/.test(host);
  if (isLoopback)
    return ['loopback', `${address} is a loopback address: only this machine reaches it. ${SET_PUBLIC_URL}`];
  if (isInternalHost(host)) {
    return ['private', `${address} is a private address: no store on the internet reaches it. ${SET_PUBLIC_URL}`];
  }
  if (protocol === 'https:') return null;
  return ['unencrypted', `${address} is not encrypted, and stores send to https:// addresses only. ${SET_PUBLIC_URL}`];
}

/** Requests the address only if its form does not rule it out. */
export async function checkAddress(services: Pick<Services, 'outbound'>, address: string): Promise<Finding> {
  return faultOfForm(address) ?? requestAddress(services, address);
}

async function requestAddress({ outbound }: Pick<Services, 'outbound'>, address: string): Promise<Finding> {
  const proxies = 'Check the name, the certificate and the proxy in front of this service.';
  try {
    const request = { method: 'GET', url: `${address}/livez`, headers: {}, timeoutMs: TIMEOUT_MS } as const;
    const { status, body, isPrivate } = await outbound.send({ ...request, maxResponseBytes: 1000 });
    if (isPrivate) {
      return ['private', `The name of ${address} leads to a private address: no store on the internet reaches it.`];
    }
    const isOurs = status === 200 && fieldsOf(parseJson(body.toString()))['status'] === 'ok';
    if (!isOurs)
      return ['other_service', `${address} answered with status ${status}, and not as this service. ${proxies}`];
    const proof = 'The first notification is the proof that the store is not kept out.';
    return ['reachable', `${address} leads to this service, as seen from its own network. ${proof}`];
  } catch (err) {
    if (!(err instanceof OutboundFailure)) throw err;
    if (err.code === 'blocked') {
      return ['private', `The name of ${address} leads to a private address: no store on the internet reaches it.`];
    }
    return ['unreachable', `No response from ${address}: ${err.message}. ${proxies}`];
  }
}

export const notificationCheckRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/apps/:appId/notification-check',
    permission: 'administer',
    summary: 'Check whether the notification address can be reached',
    description:
      'Loopback, private and unencrypted addresses are named as such. Any other is requested once from this service, which cannot see what a firewall does to the stores.',
    params: z.object({ id, appId: id }),
    response: notificationCheck,
    isPure: true,
    handle: async ({ params: { appId }, scope: { projectId } }, services) => {
      const project = await services.deps.projects.get(streams.project(projectId));
      const app = project?.apps.find((one) => one.appId === appId);
      if (!app) throw new HttpError(404, 'app not found');
      if (!isStoreApp(app)) throw new HttpError(409, 'an app of the test store receives no notifications');
      const address = services.publicUrl();
      const [verdict, sentence] = await checkAddress(services, address);
      const body: BodyOf<typeof notificationCheck> = { object: 'notificationCheck', address, verdict, sentence };
      return { body };
    },
  }),
];
