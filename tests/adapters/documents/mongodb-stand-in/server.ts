// A stand-in for a standalone MongoDB, in memory: the real driver talks to it over TCP, and a spec decides command by command how it
// fails, also after the command has had its effect.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { findAll, insertAll, updateAll, type Row, type Table } from './tables.js';
import { readMessages, replyTo, type Command, type Message } from './wire.js';

/** `cut-before` and `cut-after`: the connection ends without a response, without and with the effect of the command. */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'silence' | { readonly instead: Command };
export type Fail = (name: string, command: Command) => Fate;

export type MongoStandIn = {
  readonly url: string;
  /** Decides about every command but those of the driver's own monitoring. Null: all are answered. */
  fail: Fail | null;
  /** Number of handshakes of the driver. */
  greetings: number;
  /** Ends every connection; new ones are taken. */
  cut(): void;
  /** Ends every connection and refuses new ones until {@link MongoStandIn.comeBack}. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

const GREETINGS = new Set(['hello', 'ismaster', 'isMaster']);
const NAMESPACE_NOT_FOUND = { ok: 0, code: 26, codeName: 'NamespaceNotFound', errmsg: 'ns does not exist' };

/** `greeted`: what its greeting says otherwise. */
export async function startMongoStandIn(greeted: Command = {}): Promise<MongoStandIn> {
  const tables = new Map<string, Table>();
  const sockets = new Set<Socket>();
  const standIn: Pick<MongoStandIn, 'fail' | 'greetings'> = { fail: null, greetings: 0 };

  const serve = (socket: Socket, message: Message) => {
    const [name = ''] = Object.keys(message.command);
    if (GREETINGS.has(name)) standIn.greetings += 1;
    const fate = GREETINGS.has(name) ? 'answer' : (standIn.fail?.(name, message.command) ?? 'answer');
    if (fate === 'silence') return;
    if (fate === 'cut-before') return void socket.destroy();
    if (typeof fate === 'object') return void socket.write(replyTo(message, fate.instead));
    const result = GREETINGS.has(name) ? { ...greeting(), ...greeted } : resultTo(tables, name, message.command);
    if (fate === 'cut-after') return void socket.destroy();
    socket.write(replyTo(message, result));
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    readMessages(socket, (message) => serve(socket, message));
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const goDown = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  return Object.assign(standIn, {
    url: `mongodb://127.0.0.1:${port}/test?directConnection=true`,
    cut,
    goDown,
    comeBack: async () => void (server.listening || (await listen(port))),
    close: goDown,
  });
}

function resultTo(tables: Map<string, Table>, name: string, command: Command): Command {
  const c = String(command[name]);
  const known = tables.get(c);
  const made = (): Table => {
    const table = known ?? { rows: new Map(), indexes: new Map() };
    tables.set(c, table);
    return table;
  };
  if (name === 'insert') {
    const { n, failures } = insertAll(made(), command['documents'] as Row[]);
    return { ok: 1, n, ...(failures.length > 0 && { writeErrors: failures }) };
  }
  if (name === 'update') {
    const n = updateAll(made(), command['updates'] as Parameters<typeof updateAll>[1]);
    return { ok: 1, n, nModified: n };
  }
  if (name === 'find') return cursorOf(c, known ? findAll(known, command) : []);
  if (name === 'listIndexes') {
    return known ? cursorOf(c, [{ name: '_id_' }, ...known.indexes.values()]) : NAMESPACE_NOT_FOUND;
  }
  if (name === 'createIndexes') {
    for (const index of command['indexes'] as Command[]) made().indexes.set(String(index['name']), index);
    return { ok: 1 };
  }
  if (name === 'dropIndexes') return { ok: known?.indexes.delete(String(command['index'])) ? 1 : 0 };
  if (name === 'drop') return tables.delete(c) ? { ok: 1 } : NAMESPACE_NOT_FOUND;
  if (['ping', 'endSessions', 'killCursors'].includes(name)) return { ok: 1 };
  return { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: `no such command: ${name}` };
}

function cursorOf(c: string, firstBatch: readonly Command[]): Command {
  return { ok: 1, cursor: { id: 0n, ns: `test.${c}`, firstBatch } };
}

function greeting(): Command {
  return {
    ok: 1,
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 21,
    logicalSessionTimeoutMinutes: 30,
    readOnly: false,
  };
}
