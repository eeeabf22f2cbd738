// Fields that identify an app in its store.
import type { Schemas } from '../api/client';
import { Field, Select } from '../parts/form';
import { text } from '../parts/form-dialog';

const PLATFORMS = [
  ['ios', 'iOS'],
  ['android', 'Android'],
  ['test', 'Test store (purchases in the SDK’s own dialog)'],
] as const;
export type Platform = (typeof PLATFORMS)[number][0];

export function PlatformFields({
  platform,
  onChange,
}: {
  readonly platform: Platform;
  readonly onChange: (platform: Platform) => void;
}) {
  return (
    <>
      <Select
        label="Platform"
        value={platform}
        options={PLATFORMS}
        onChange={({ currentTarget }) =>
          onChange(PLATFORMS.find(([value]) => value === currentTarget.value)?.[0] ?? 'ios')
        }
      />
      {platform !== 'test' && (
        <Field
          label={platform === 'ios' ? 'Bundle ID' : 'Package name'}
          name={platform === 'ios' ? 'bundleId' : 'packageName'}
          required
          placeholder="com.example.app"
          autocomplete="off"
        />
      )}
    </>
  );
}

export function bodyOfApp(platform: Platform, data: FormData): Schemas['RegisterAppBody'] {
  const name = text(data, 'name');
  if (platform === 'test') return { name, platform };
  return platform === 'ios'
    ? { name, platform, bundleId: text(data, 'bundleId') }
    : { name, platform, packageName: text(data, 'packageName') };
}
