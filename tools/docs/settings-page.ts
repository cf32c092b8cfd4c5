import { configurationTable } from '@shardnode/core/configuration';
import { localnetSettings } from '../../apps/localnet/src/settings.js';

/** docs/settings.md, made from the schema that reads the settings. `node tools/docs/write-settings.mjs` writes it. */
export const settingsPage = (): string => `# Settings

Variables of the environment that \`npm start\` reads. An empty variable counts as not set, an unknown one is ignored, and a wrong one
stops the start with a sentence that names it. How to use them: [run.md](run.md).

This page is generated from \`apps/localnet/src/settings.ts\` by \`node tools/docs/write-settings.mjs\`; a test fails when it is stale.

<!-- prettier-ignore-start -->
${configurationTable(localnetSettings).trim()}
<!-- prettier-ignore-end -->
`;
