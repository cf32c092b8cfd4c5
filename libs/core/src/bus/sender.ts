/** The sender of a message: the service and, where it has several instances, which one (`group-node` 2). */
export interface Sender {
  readonly service: string;
  readonly member?: number;
}

/** `group-node-2`, `gateway`. */
export const senderName = (sender: Sender): string =>
  sender.member === undefined ? sender.service : `${sender.service}-${sender.member}`;

/** Inverse of `senderName`. */
export const parseSender = (name: string): Sender => {
  const match = /^(.+)-(\d+)$/.exec(name);
  return match?.[1] === undefined ? { service: name } : { service: match[1], member: Number(match[2]) };
};
