import { askedTogether } from './asked-together.js';
import { type BlockSummary } from './forms.js';

const summaries = askedTogether<BlockSummary>('blocks/summaries', ({ hash }) => hash);

/** What a block has paid; undefined while that is not there, null of genesis and beside the main chain. */
export const summaryOf = summaries.of;
