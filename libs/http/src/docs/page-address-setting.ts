import { textSetting } from '@shardnode/core/configuration';

/** The address of another service's pages, as browsers reach them. */
export const pageAddressSetting = (description: string) =>
  textSetting({
    description,
    pattern: /^(?:https?:\/\/[^\s"'<>]+|\/[^\s"'<>]*)$/,
    expects: 'an address like https://shard.example, or a path like /shard/ of the same proxy',
    optional: true,
  });
