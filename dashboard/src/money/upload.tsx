// Upload of financial reports of the stores: chosen or dropped, several at a time, each with its result.
import { useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { Field, Form } from '../parts/form';
import { text } from '../parts/form-dialog';
import { count } from '../parts/format';
import { monthName, reportName } from './names';

type FileResult = { readonly name: string; readonly text: string; readonly isFault: boolean };

export function Upload() {
  const { project } = useProject();
  const [results, setResults] = useState<readonly FileResult[]>([]);

  const add = async (file: File, account: string): Promise<FileResult> => {
    const query = { fileName: file.name, ...(account !== '' && { account }) };
    const params = { path: { id: project.id }, query };
    const headers = { 'content-type': 'application/octet-stream' };
    const content = { headers, body: file as unknown as string, bodySerializer: () => file };
    try {
      const added = await unwrap(api.POST('/v1/projects/{id}/books/reports', { params, ...content }));
      const what = `${reportName(added.kind)}, ${monthName(added.month)}, account ${added.account}`;
      const outcome = added.isRepeat ? 'was added before; nothing changed' : `${count(added.lines)} lines added`;
      return { name: file.name, text: `${what}: ${outcome}.`, isFault: false };
    } catch (err) {
      return { name: file.name, text: err instanceof Error ? err.message : String(err), isFault: true };
    }
  };

  const send = async (data: FormData) => {
    const files = data.getAll('file').filter((one): one is File => one instanceof File && one.size > 0);
    if (files.length === 0) return 'Choose a file that is not empty.';
    setResults([]);
    for (const file of files) {
      const result = await add(file, text(data, 'account'));
      setResults((before) => [...before, result]);
    }
    invalidate();
    return null;
  };

  return (
    <section class="card" aria-label="Add reports">
      <Form label="Add reports" submit={send}>
        <Field
          label="Reports"
          name="file"
          type="file"
          multiple
          required
          hint="Choose or drop: earnings of the Play Console, finance detail of App Store Connect; as the store wrote them, also .zip and .gz."
        />
        <Field
          label="Account"
          name="account"
          autocomplete="off"
          pattern="[\w\-]{1,64}"
          hint="Payments profile or vendor number; needed if the name of the file does not state it."
        />
      </Form>
      <ul role="status">
        {results.map((one) => (
          <li key={one.name} class={one.isFault ? 'fault' : undefined}>
            <strong>{one.name}</strong> {one.text}
          </li>
        ))}
      </ul>
    </section>
  );
}
