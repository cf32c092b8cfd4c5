/** What was searched for, the newest first. The browser keeps it; nobody else learns it. */

const key = 'searches';
const most = 5;
/** Characters: a longer text is no search that somebody repeats. */
const longest = 200;

export const lastSearches = (): readonly string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
};

export const keepSearch = (text: string): void => {
  if (text.length > longest) return;
  const others = lastSearches().filter((other) => other !== text);
  localStorage.setItem(key, JSON.stringify([text, ...others].slice(0, most)));
};
