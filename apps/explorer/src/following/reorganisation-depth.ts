/** Blocks of a chain undone at once: above the first it is reported, above the second refused (protocol 08 §4.7). */
const depths = { reported: 200, most: 2_000 };

/** The nodes themselves refuse forks deeper than 200: a deeper one means that the data of a node was replaced. */
export const judgeDepth = (depth: number): 'ordinary' | 'DeepReorganisation' | 'ResyncRequired' => {
  if (depth <= depths.reported) return 'ordinary';
  return depth <= depths.most ? 'DeepReorganisation' : 'ResyncRequired';
};
