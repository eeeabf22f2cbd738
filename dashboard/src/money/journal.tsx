// Journal of a month as files for the accounts of the company.
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { CsvButton } from '../parts/csv-button';

const FORMATS = [
  ['csv', 'CSV', 'csv'],
  ['xero', 'Xero', 'csv'],
  ['beancount', 'Beancount', 'beancount'],
] as const;

export function Journal({ month, isDraft }: { readonly month: string; readonly isDraft: boolean }) {
  const { project } = useProject();
  const path = { id: project.id, month };
  return (
    <section class="card" aria-label="Journal">
      <h2>Journal</h2>
      <p>
        {isDraft
          ? 'A draft until the month is closed: its entries may still change.'
          : 'Final: an entry has the same ID in every file, so that importing it twice books it once.'}
      </p>
      <div class="row">
        {FORMATS.map(([format, name, extension]) => (
          <CsvButton
            key={format}
            label={`Journal: ${name}`}
            fileName={`journal-${month}-${format}.${extension}`}
            load={async () => {
              const params = { path, query: { format } };
              const asking = api.GET('/v1/projects/{id}/books/{month}/journal', { params, parseAs: 'text' });
              return String(await unwrap(asking as Promise<{ data?: string; response: Response }>));
            }}
          />
        ))}
      </div>
    </section>
  );
}
