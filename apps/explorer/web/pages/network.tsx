import { groups } from '../store/network.js';
import { DevelopmentCard } from '../parts/development.js';
import { Figures } from '../parts/figures.js';
import { Inspector } from '../parts/inspector.js';
import { LatestBlocks, LatestTransactions } from '../parts/latest.js';
import { groupClass } from '../parts/links.js';
import { LoomCard } from '../parts/loom/loom.js';
import { Matrix } from '../parts/matrix.js';
import { texts } from '../texts.js';
import { PageTitle } from '../parts/page-title.js';

const Legend = () => (
  <ul class="legend">
    {Array.from({ length: groups.value }, (_, group) => (
      <li key={group}>
        <span class={`swatch ${groupClass(group)}`} aria-hidden="true" />
        {texts.network.group(group)}
      </li>
    ))}
    {groups.value > 2 && (
      <li>
        <span class="swatch pair" aria-hidden="true" />
        {texts.network.fromTo(0, 2)}
      </li>
    )}
  </ul>
);

/** Is it alive, what happens now? */
export const NetworkPage = () => (
  <>
    <PageTitle title={texts.network.title(groups.value)} intro={texts.network.intro(groups.value)}>
      <Legend />
    </PageTitle>
    <DevelopmentCard />
    <div class="network">
      <LoomCard />
      <div class="side">
        <Inspector />
        {groups.value > 1 && <Matrix />}
      </div>
    </div>
    <Figures />
    <div class="lists latest">
      <LatestBlocks />
      <LatestTransactions />
    </div>
  </>
);
