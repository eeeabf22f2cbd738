// Button that downloads a table as a file.
import { useState } from 'preact/hooks';
import { toast } from './toast';

export function CsvButton({
  fileName,
  label = 'CSV',
  load,
}: {
  readonly fileName: string;
  readonly label?: string;
  /** Resolves with the whole table. Its error is shown. */
  readonly load: () => Promise<Blob | string>;
}) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([await load()], { type: 'text/csv' }));
      link.download = fileName;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err));
    }
    setBusy(false);
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void download()}>
      {isBusy ? 'Preparing…' : label}
    </button>
  );
}
