const inboxes = '_INBOX.';

/** Answers to one user's requests are not for another's eyes: the permissions give each an inbox of its own. */
export const inboxOf = (user: string): string => `${inboxes}${user}`;

/**
 * Whether an answer may go there. The server lets us publish wherever a request says; an answer on a subject of the network
 * would be an event of ours, or a request, that somebody else has made.
 */
export const isInbox = (subject: string): boolean => subject.startsWith(inboxes);
