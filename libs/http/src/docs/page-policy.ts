/** The documentation page: its own files only, not inside a frame of another page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of the page and its files that restrict browsers. */
export const docsPageHeaders = {
  'content-security-policy': pagePolicy,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
} as const;
