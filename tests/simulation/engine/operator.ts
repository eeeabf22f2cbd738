// Operator requests of an embedded installation: they wait in a folder until they are answered, across restarts of the process.
import type { OperatorReply, OperatorRequests } from '../../../src/adapters/operator-requests/port.js';
import type { Timeline } from './timeline.js';

export function createOperator(timeline: Timeline): OperatorRequests {
  const asked = new Map<string, unknown>();
  const replies = new Map<string, OperatorReply>();
  return {
    pending: () => Promise.resolve([...asked].map(([id, request]) => ({ id, request }))),
    submit: (id, request) => {
      asked.set(id, request);
      return Promise.resolve();
    },
    reply: (id, reply) => {
      timeline.note(`operator request ${id}: ${JSON.stringify(reply).slice(0, 200)}`);
      replies.set(id, reply);
      asked.delete(id);
      return Promise.resolve();
    },
    takeReply: (id) => {
      const reply = replies.get(id);
      replies.delete(id);
      return Promise.resolve(reply);
    },
  };
}
