// Runs in a process of its own, which reads one Parquet file and sends what it contains, one reply for each request.
import { columnNames, openParquetFile, ParquetFault, rowBatches } from './parquet-rows.js';

/** `fault`: continues a sentence that begins with the name of the file. */
export type ParquetReply =
  | { readonly columns: readonly string[]; readonly rowCount: number }
  | { readonly rows: readonly (readonly (string | null)[])[] }
  | { readonly isEnd: true }
  | { readonly fault: string };

const [kind = '', path = ''] = process.argv.slice(2);
const replies = repliesOf();
process.on('message', () => void sendNext());
process.on('disconnect', () => process.exit());

async function sendNext(): Promise<void> {
  const { value } = await replies.next();
  process.send?.(value ?? ({ isEnd: true } satisfies ParquetReply));
}

async function* repliesOf(): AsyncGenerator<ParquetReply> {
  try {
    const file = await openParquetFile(path);
    if (kind === 'columns') yield { columns: columnNames(file), rowCount: Number(file.metadata.num_rows) };
    else for await (const rows of rowBatches(file)) yield { rows };
  } catch (err) {
    if (err instanceof ParquetFault) yield { fault: err.message };
    else yield { fault: ` is damaged: ${(err as Error).message}; export the file again` };
  }
}
