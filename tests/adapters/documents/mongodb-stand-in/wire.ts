// The part of MongoDB's wire protocol that the driver uses: OP_MSG both ways, and OP_QUERY for its first greeting.
import type { Socket } from 'node:net';
import { BSON } from 'mongodb';

export type Command = { readonly [field: string]: unknown };
export type Message = { readonly requestId: number; readonly opcode: number; readonly command: Command };

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER = 16;

/** Calls back for each message of the connection, in order. */
export function readMessages(socket: Socket, onMessage: (message: Message) => void): void {
  let buffered = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= HEADER && buffered.length >= buffered.readInt32LE(0)) {
      const length = buffered.readInt32LE(0);
      onMessage(messageOf(buffered.subarray(0, length)));
      buffered = buffered.subarray(length);
    }
  });
}

function messageOf(bytes: Buffer): Message {
  const [requestId, opcode] = [bytes.readInt32LE(4), bytes.readInt32LE(12)];
  if (opcode === OP_QUERY) {
    const nameEnd = bytes.indexOf(0, HEADER + 4);
    return { requestId, opcode, command: BSON.deserialize(bytes.subarray(nameEnd + 1 + 8)) };
  }
  let command: Command = {};
  for (let at = HEADER + 4; at < bytes.length;) {
    const kind = bytes[at++];
    const size = bytes.readInt32LE(at);
    const section = bytes.subarray(at, at + size);
    command = kind === 0 ? { ...command, ...BSON.deserialize(section) } : { ...command, ...sequenceOf(section) };
    at += size;
  }
  return { requestId, opcode, command };
}

/** Documents beside the command, under the name of the field they belong to. */
function sequenceOf(section: Buffer): Command {
  const nameEnd = section.indexOf(0, 4);
  const documents = [];
  for (let at = nameEnd + 1; at < section.length; at += section.readInt32LE(at)) {
    documents.push(BSON.deserialize(section.subarray(at, at + section.readInt32LE(at))));
  }
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

export function replyTo({ requestId, opcode }: Message, result: Command): Buffer {
  const body = BSON.serialize(result);
  const isQuery = opcode === OP_QUERY;
  const before = Buffer.alloc(isQuery ? HEADER + 20 : HEADER + 5);
  before.writeInt32LE(before.length + body.length, 0);
  before.writeInt32LE(requestId, 8);
  before.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  // One document in the reply to a query.
  if (isQuery) before.writeInt32LE(1, HEADER + 16);
  return Buffer.concat([before, body]);
}
