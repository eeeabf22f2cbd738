// Files of imports that cannot be read: the message names the row and what to do, and nothing large gets into memory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openImportFile } from '../../../src/adapters/imports/files.js';
import { UnreadableFile, type OpenedFile } from '../../../src/adapters/imports/port.js';

describe('a file of an import', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'open-file-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const fileOf = (content: string | Buffer) => {
    const path = join(folder, 'export.csv');
    writeFileSync(path, content);
    return path;
  };
  const readAll = async (file: OpenedFile) => {
    const read: unknown[] = [];
    if (file.format === 'table') for await (const { values } of file.rows()) read.push(values);
    else for await (const { line } of file.lines()) read.push(line);
    return read;
  };
  const faultOf = async (content: string | Buffer): Promise<string> => {
    try {
      await readAll(await openImportFile(fileOf(content)));
      return 'accepted';
    } catch (err) {
      expect(err).to.be.instanceOf(UnreadableFile);
      return (err as Error).message;
    }
  };

  describe('with cells of JSON', () => {
    const values = [
      '{"$email":{"value":"a@example.com","updated_at_ms":1672549200}}',
      '{"note":{"value":"she said \\"hi\\", twice","updated_at_ms":1}}',
      '{"note":{"value":"a\\\\b; c\\n","updated_at_ms":1}}',
      '["membership","full_access"]',
      '{}',
    ];
    const forms: Readonly<Record<string, (json: string) => string>> = {
      'doubled quotes': (json) => json.replaceAll('"', '""'),
      'quotes and backslashes escaped by hand': (json) => json.replaceAll(/["\\]/g, '\\$&'),
      'quotes escaped by hand': (json) => json.replaceAll('"', '\\"'),
    };
    for (const [name, escape] of Object.entries(forms))
      it(`reads those with ${name}, wherever the parts of the file end`, async () => {
        for (const delimiter of [',', ';']) {
          const row = (json: string) => ['x', `"${escape(json)}"`, '"say ""hi"", {\\""}"', ''].join(delimiter);
          // Which backslashes are of JSON is uncertain if those of JSON are not escaped.
          const own = name.startsWith('quotes escaped') ? values.filter((json) => !json.includes('c\\n')) : values;
          // Longer than a part that is read at once, with another offset in each repetition.
          const rows = Array.from({ length: 1500 }, (_, n) => row(own[n % own.length] ?? ''));
          const header = ['a', 'json', 'text', 'last'].join(delimiter);
          for (const end of ['\n', '\r\n']) {
            const read = await readAll(await openImportFile(fileOf([header, ...rows].join(end) + end)));
            const jsons = read.map((one) => (one as { readonly json: string }).json);
            expect(jsons).to.deep.equal(rows.map((_, n) => own[n % own.length]));
            expect(new Set(read.map((one) => (one as { readonly text: string }).text))).to.deep.equal(
              new Set(['say "hi", {\\"}']),
            );
          }
        }
      });

    it('reads one at the end of the file, and refuses one without an end', async () => {
      const last = await readAll(await openImportFile(fileOf('a,b\n1,"{\\"k\\":1}"')));
      expect(last).to.deep.equal([{ a: '1', b: '{"k":1}' }]);
      expect(await faultOf(`a,b\n1,"{\\"k${'",'.repeat(300_000)}\n`)).to.match(/row 2/);
    });
  });

  it('is read with commas, semicolons or tabs', async () => {
    for (const delimiter of [',', ';', '\t']) {
      const rows = await readAll(await openImportFile(fileOf(`a${delimiter}b\n1${delimiter}2\n`)));
      expect(rows).to.deep.equal([{ a: '1', b: '2' }]);
    }
  });

  it('is refused with a header that has a column twice: the last one would count', async () => {
    expect(await faultOf('store,price,store\napp_store,1,play_store\n')).to.match(
      /^export\.csv has two columns store; /,
    );
  });

  it('is refused with more columns than any export has, before they are compared', async () => {
    const header = Array.from({ length: 60_000 }, (_, n) => `c${n}`).join(',');
    expect(await faultOf(`${header}\n`)).to.equal('export.csv has 60000 columns; export it with at most 1000');
    expect(await faultOf(`${header.split(',').slice(0, 1000).join(',')}\n`)).to.equal('accepted');
  });

  it('may have columns without a name, as spreadsheets write them', async () => {
    expect(await readAll(await openImportFile(fileOf('a,,\n1,,\n')))).to.deep.equal([{ a: '1', '': '' }]);
  });

  it('is refused at the row that is broken, whatever was read ahead', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => `${n},x`);
    expect(await faultOf(['a,b', ...rows, 'torn', ...rows].join('\n'))).to.equal(
      'export.csv, row 202: the row has another number of columns than the header; export the file again',
    );
    expect(await faultOf('a,b\n1,2\n3,"4\n5,6\n')).to.equal(
      'export.csv, row 3: a quotation mark is not closed; export the file again',
    );
    expect(await faultOf('a,b\n1,2\n3,"4"5\n')).to.match(/row 3: a quotation mark within a value is not doubled/);
    expect(await faultOf(`a,b\n1,2\n3,${'x'.repeat(1_100_000)}\n`)).to.match(
      /row 3: .* more than a million characters/,
    );
  });

  it('is refused if it is UTF-16 without a mark, a ZIP archive, a directory, or JSON of another form', async () => {
    expect(await faultOf(Buffer.from('a,b\n1,2\n', 'utf16le'))).to.match(/is not UTF-8 text; convert it/);
    expect(await faultOf(Buffer.from('PK\u0003\u0004'))).to.equal('export.csv is a ZIP archive; unpack it');
    expect(await faultOf('[{"type":"customer"}]')).to.match(/is a JSON array; write one object per line/);
    expect(await faultOf('{\n"type": "customer"\n}\n')).to.match(/row 1: .* with one object per line/);
    const refused = await openImportFile(folder).catch((err: unknown) => err);
    expect((refused as Error).message).to.match(/ is a directory; give the files in it$/);
  });

  it('is refused at a line without end before the line is in memory', async () => {
    const path = fileOf(`{"type":"customer"}\n{"name":"${'x'.repeat(24 * 1024 * 1024)}"}\n`);
    const file = await openImportFile(path);
    const refused = await readAll(file).catch((err: unknown) => err);
    expect((refused as Error).message).to.match(/^export\.csv, row 2: the line has more than a million characters/);
    expect(file.bytesRead()).to.be.below(4 * 1024 * 1024);
  });

  it('keeps its last line without a line break, and line breaks of both kinds', async () => {
    expect(await readAll(await openImportFile(fileOf('{"n":1}\r\n\r\n{"n":2}')))).to.deep.equal([{ n: 1 }, { n: 2 }]);
  });
});
