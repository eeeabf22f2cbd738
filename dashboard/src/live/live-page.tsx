// Live feed: store notifications, their results, and the webhooks that they caused, with durations.
import { useEffect, useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../app/project';
import { wordsOf } from '../parts/format';
import { Form } from '../parts/form';
import { Link } from '../parts/link';
import { Empty } from '../parts/states';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { Pipeline } from './pipeline';
import { readFeed, type FeedState, type LiveLine } from './feed';

const MAX_SHOWN = 200;
const STATES: Readonly<Record<FeedState, readonly [tone: string, text: string]>> = {
  connecting: ['', 'connecting'],
  open: ['good', 'connected'],
  away: ['bad', 'Connection lost. Reconnecting…'],
};
const KINDS = { notification: 'received', event: 'recorded', delivery: 'webhook' } as const;

export default function LivePage() {
  const { project, may } = useProject();
  const [lines, setLines] = useState<readonly LiveLine[]>([]);
  const [state, setState] = useState<FeedState>('connecting');
  useEffect(() => {
    const stopping = new AbortController();
    const add = (line: LiveLine) => setLines((before) => [line, ...before].slice(0, MAX_SHOWN));
    void readFeed(project.id, stopping.signal, add, setState);
    return () => stopping.abort();
  }, [project.id]);
  const play = async () => {
    const path = { id: project.id };
    const { appUserId } = await unwrap(api.POST('/v1/projects/{id}/demo/purchase', { params: { path } }));
    invalidate();
    toast(`${appUserId} bought a month.`);
  };
  const [tone, text] = STATES[state];
  return (
    <>
      <div class="row">
        <h1>Live</h1>
        <span class={`badge ${tone}`} role="status">
          {text}
        </span>
        {project.demo !== null && may('configure') && (
          <Form label="Simulate a purchase" submit={play}>
            {null}
          </Form>
        )}
      </div>
      <Pipeline lines={lines} />
      {lines.length === 0 ? (
        <Empty title="No events since you opened this page.">
          <p>
            {project.demo === null
              ? 'Send a test notification from the store’s console, or make a purchase with a sandbox account.'
              : 'Simulate a purchase to see what follows.'}
          </p>
        </Empty>
      ) : (
        <div class="scroll">
          <table>
            <caption>Newest first; the latest {MAX_SHOWN}</caption>
            <thead>
              <tr>
                <th scope="col">At</th>
                <th scope="col">What</th>
                <th scope="col">Description</th>
                <th scope="col" class="number">
                  After
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, i) => (
                <Line key={lines.length - i} line={line} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Line({ line }: { readonly line: LiveLine }) {
  const { base } = useProject();
  const { at, kind, summary, customerId, ms } = line;
  const state = 'state' in line ? line.state : null;
  return (
    <tr>
      <td>
        <Time at={at} />
      </td>
      <td>
        <span class="badge">{KINDS[line.event]}</span> {kind} {state && <small>{wordsOf(state)}</small>}
      </td>
      <td>
        {summary} {customerId && <Link to={`${base}/customers/${customerId}`}>customer</Link>}{' '}
        {line.event === 'notification' && <Link to={`${base}/notifications/${line.notificationId}`}>notification</Link>}
        {line.event === 'delivery' && (
          <Link to={`${base}/webhooks/${line.webhookId}?delivery=${line.deliveryId}`}>delivery</Link>
        )}
      </td>
      <td class="number">{ms === null ? '' : `${ms.toLocaleString()} ms`}</td>
    </tr>
  );
}
