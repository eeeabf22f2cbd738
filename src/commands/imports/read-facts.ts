// The first half of an import, which needs only its files: reads them, stages their facts and groups them by customer.
import type { CustomerFacts, ImportStaging, OpenedFile, StagedCustomer } from '../../adapters/imports/port.js';
import type { ImportContext } from '../../domain/imports/context.js';
import { createProblemCounts, type ProblemCount } from './problem-counts.js';
import { readFiles, type ReadFiles } from './read-files.js';

export type ReadRequest = Pick<ImportContext, 'now' | 'options' | 'projectId'> & { readonly paths: readonly string[] };

/** `problems`: of the rows and of the names. `customers`: their number. `bytes`: of all files. */
export type ReadFacts = ReadFiles & {
  readonly problems: readonly ProblemCount[];
  readonly customers: number;
  readonly bytes: number;
};

/** `sharedNames`: names of the customer that belong to another one as well. */
export type ReadCustomer = StagedCustomer & { readonly sharedNames: readonly string[] };

/** Content of the files of one import. Used once: read, then asked for customers, then closed. */
export type FactSource = {
  /** Reads all files. Throws `UnreadableFile`, `Rejection`, {@link SourceEnded}, and the reason of the signal. */
  read(request: ReadRequest, o: ReadOptions): Promise<ReadFacts>;
  /** Yields all customers, in the same order for the same files. Throws {@link SourceEnded}. */
  customers(): AsyncIterable<ReadCustomer>;
  close(): void;
};

/** `progress`: called with the bytes of the files so far, also at the same bytes while work goes on. */
export type ReadOptions = {
  readonly progress: (done: { readonly bytes: number; readonly total: number }) => void;
  readonly signal: AbortSignal;
};

/** The process that read the files ended or hung. The message says what is known about it. */
export class SourceEnded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SourceEnded';
  }
}

type SourceFiles = {
  open(path: string): Promise<OpenedFile>;
  openStaging(): ImportStaging;
};

/** Reads the files in this process. */
export function createFactSource({ open, openStaging }: SourceFiles): FactSource {
  const staging = openStaging();
  let hasShared = false;
  return {
    read: async ({ paths, ...needs }, { progress, signal }) => {
      const files = await Promise.all(paths.map((path) => open(path)));
      const total = files.reduce((sum, { size }) => sum + size, 0);
      const problems = createProblemCounts();
      const { addProblem } = problems;
      const read = await readFiles(files, staging, needs, {
        addProblem,
        progress: ({ bytes }) => progress({ bytes, total }),
        signal,
      });
      const { customers, moved } = await staging.group();
      for (const { from, isSandbox } of moved) {
        // A sandbox purchase that is left out is listed as such, whoever owns it.
        const isListed = isSandbox && needs.options.sandbox === 'skip';
        if (!isListed) addProblem({ code: 'moved-purchase', from, detail: '' });
      }
      for (const { rows } of staging.sharedNames()) {
        const [from, other] = rows;
        const detail = other ? `another customer has the name in ${other.file}, row ${other.row}` : '';
        addProblem({ code: 'ambiguous-name', from, detail });
        hasShared = true;
      }
      return { ...read, problems: problems.list(), customers, bytes: total };
    },
    customers: async function* () {
      for (const customer of staging.customers())
        yield { ...customer, sharedNames: hasShared ? namesOf(customer).filter(staging.isShared) : [] };
    },
    close: staging.close,
  };
}

function namesOf(customer: StagedCustomer): readonly string[] {
  const names = factsOf(customer).flatMap((fact) =>
    fact.customer ? [fact.customer.appUserId, ...fact.customer.aliases] : [],
  );
  return [...new Set(names)];
}

export function factsOf({ facts }: StagedCustomer): CustomerFacts {
  const [first, ...rest] = facts;
  const parse = (text: string): CustomerFacts[number] => JSON.parse(text);
  return [parse(first), ...rest.map(parse)];
}
