import { signal } from '@preact/signals';

type Theme = 'light' | 'dark';

const key = 'theme';
const stored = localStorage.getItem(key);
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const chosen = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined);

/** For what is painted: styles follow by themselves. */
export const shownTheme = signal<Theme>('light');

const show = (): void => {
  shownTheme.value = chosen.value ?? (prefersDark.matches ? 'dark' : 'light');
  document.documentElement.dataset['theme'] = shownTheme.value;
};

/** Follows the system until somebody chooses. */
export const startTheme = (): void => {
  show();
  prefersDark.addEventListener('change', show);
};

export const switchTheme = (): void => {
  chosen.value = shownTheme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(key, chosen.value);
  show();
};
