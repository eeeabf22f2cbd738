// Operator requests of an embedded installation: they wait in a folder until they are answered, across restarts of the process.
import type { OperatorReply, OperatorRequests } from '../../../src/adapters/operator-requests/port.js';
import type { Timeline } from './timeline.js';

export function createOperatorRequests(timeline: Timeline): OperatorRequests {
  const pending = new Map<string, unknown>();
  const replies = new Map<string, OperatorReply>();
  return {
    pending: () => Promise.resolve([...pending].map(([id, request]) => ({ id, request }))),
    submit: (id, request) => {
      pending.set(id, request);
      return Promise.resolve();
    },
    reply: (id, reply) => {
      timeline.record(`operator request ${id}: ${JSON.stringify(reply).slice(0, 200)}`);
      replies.set(id, reply);
      pending.delete(id);
      return Promise.resolve();
    },
    takeReply: (id) => {
      const reply = replies.get(id);
      replies.delete(id);
      return Promise.resolve(reply);
    },
  };
}
