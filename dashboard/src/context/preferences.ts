// Preferences of the user on this device: the theme, and whether local time is shown in addition.
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

export const theme = signal<Theme>(themeOf(window.localStorage.getItem('theme')));
export const showsLocalTime = signal(window.localStorage.getItem('localTime') === 'on');

export function startPreferences(): void {
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    window.localStorage.setItem('theme', theme.value);
  });
  effect(() => window.localStorage.setItem('localTime', showsLocalTime.value ? 'on' : 'off'));
}

function themeOf(stored: string | null): Theme {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
