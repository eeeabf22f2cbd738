// Forms of the dashboard without a browser: error messages in the words of the form, and durations.
import { expect } from 'chai';
import { loadDashboard } from './load-dashboard.js';

type LabelledError = { text: string; field: string | null };
type FieldLabels = { inLabels(message: string, labels: ReadonlyMap<string, string>): LabelledError };
type ProductChoice = { id: string; displayName: string; store: string };
type Choices = { productChoices(products: readonly ProductChoice[]): (readonly [string, string])[] };
type OptionLabels = { inOptionLabels(error: Error): Error };
type Durations = { durationOf(count: string, unit: string): string | null };

const labels = new Map([
  ['displayName', 'Display name'],
  ['storeProductId', 'Store product ID'],
  ['productIds', 'Products'],
  ['title', 'Title'],
  ['amount', 'Price'],
]);

describe('messages of the server in a form', () => {
  const rows: readonly (readonly [message: string, text: string, field: string | null])[] = [
    ['displayName must not be empty', 'Display name must not be empty', 'displayName'],
    ['productIds.0 must be a string', 'Products must be a string', 'productIds'],
    ['config.title must be a string', 'Title must be a string', 'title'],
    ['storeProductId: com.example is taken', 'Store product ID: com.example is taken', 'storeProductId'],
    ['amount must be above 0; displayName is required', 'Price must be above 0; Display name is required', null],
    ['amount must be above 0; amount must be a number', 'Price must be above 0; Price must be a number', 'amount'],
    ['duration must be such as P1M', 'duration must be such as P1M', null],
    ['the amount is too high', 'the amount is too high', null],
    ['amount', 'amount', null],
    ['amount must be below that of productIds', 'Price must be below that of Products', 'amount'],
    ['send productIds too', 'send Products too', null],
    ['amountOfAll must be 3', 'amountOfAll must be 3', null],
    ['', '', null],
  ];
  for (const [message, text, field] of rows)
    it(`“${message}” is about ${field ?? 'no single field'}`, async () => {
      const { inLabels } = await loadDashboard<FieldLabels>('parts/field-labels.ts');
      expect(inLabels(message, labels)).to.deep.equal({ text, field });
    });
});

describe('messages of the server about the options of a chart', () => {
  it('name the options, and are still told from a server that cannot be reached', async () => {
    const { inOptionLabels } = await loadDashboard<OptionLabels>('charts/data/parameter-labels.ts');
    expect(inOptionLabels(new Error('startDate must be before endDate')).message).to.equal('From must be before To');
    expect(inOptionLabels(new TypeError('Failed to fetch')).name).to.equal('TypeError');
  });
});

describe('a duration in a form', () => {
  for (const [count, unit, expected] of [
    ['1', 'M', 'P1M'],
    ['52', 'W', 'P52W'],
    ['', 'M', null],
  ] as const)
    it(`${count} ${unit} is ${expected}`, async () => {
      const { durationOf } = await loadDashboard<Durations>('parts/durations.ts');
      expect(durationOf(count, unit)).to.equal(expected);
    });
});

describe('products to choose from', () => {
  const product = (id: string, store: string) => ({ id, displayName: 'Pro', store });

  it('have their store if there are several', async () => {
    const { productChoices } = await loadDashboard<Choices>('names/product-choices.ts');
    expect(productChoices([product('a', 'ios-store'), product('b', 'android-store')])).to.deep.equal([
      ['a', 'Pro (App Store)'],
      ['b', 'Pro (Google Play)'],
    ]);
    expect(productChoices([product('a', 'ios-store')])).to.deep.equal([['a', 'Pro']]);
  });
});
