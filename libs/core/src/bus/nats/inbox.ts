const inboxes = '_INBOX.';

/** Inbox of a user. The permissions give each user its own, so that no user reads another's responses. */
export const inboxOf = (user: string): string => `${inboxes}${user}`;

/**
 * Whether a response may be published there. The server lets us publish to any reply subject of a request. A response
 * on a subject of the network would be a forged event or request.
 */
export const isInbox = (subject: string): boolean => subject.startsWith(inboxes);
