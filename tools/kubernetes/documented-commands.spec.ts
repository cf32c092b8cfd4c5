import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkPodSecurity } from './checks/pod-security.js';
import { listAt, objectAt, textAt, type Json, type JsonObject } from './json.js';
import { containersOf, identityOf, kindOf, podTemplateOf, replicasOf, type Manifest } from './manifest.js';
import { overlays, renderOverlay } from './overlays.js';
import { applyOperations } from './render/patches.js';
import { kubernetesVersions, schemaProblems } from './validate.js';

const page = readFileSync(new URL('../../docs/kubernetes.md', import.meta.url), 'utf8');
/** Blocks of commands, and code within sentences. */
const commands = [...page.matchAll(/```sh\n([^]*?)```|`(kubectl [^`]+)`/g)].map(([, block, words]) => block ?? words!);
const all = commands.join('\n');

const kinds: Readonly<Record<string, string>> = {
  statefulset: 'StatefulSet',
  deployment: 'Deployment',
  cronjob: 'CronJob',
  service: 'Service',
};

describe.each(overlays)('the commands of docs/kubernetes.md, in the overlay %s', (overlay) => {
  const manifests = renderOverlay(overlay);
  const find = (identity: string): Manifest => {
    const found = manifests.find((manifest) => identityOf(manifest) === identity);
    if (!found) throw new Error(`there is no ${identity}`);
    return found;
  };
  const groupNodes = find('StatefulSet/group-node');

  it('name resources that are there', () => {
    const named = [...all.matchAll(/\b(statefulset|deployment|cronjob|service)\/([a-z0-9-]+)/g)];
    expect(named.length).toBeGreaterThan(8);
    for (const [, kind, name] of named) expect(identityOf(find(`${kinds[kind!]}/${name}`))).toMatch(`/${name}`);
    const pods = [...all.matchAll(/\bpod\/group-node-(\d+)/g)].map(([, ordinal]) => Number(ordinal));
    expect(pods.length).toBeGreaterThan(0);
    for (const ordinal of pods) expect(ordinal).toBeLessThan(replicasOf(groupNodes));
    const made = [...all.matchAll(/\bcreate job ([a-z0-9-]+)/g)].map(([, name]) => name);
    for (const [, name] of all.matchAll(/\bjob\/([a-z0-9-]+)/g)) expect(made).toContain(name);
    const labels = [...all.matchAll(/--selector=(app\.kubernetes\.io\/name)=([a-z-]+)/g)];
    for (const [, label, value] of labels) {
      const selected = objectAt(podTemplateOf(groupNodes), 'metadata', 'labels')[label!];
      expect(selected).toBe(value);
    }
  });

  it('stop one group-node, which no number of replicas does', () => {
    expect(all).not.toMatch(/scale\s+statefulset\/group-node/);
    expect(all).toContain('delete statefulset/group-node --cascade=orphan');
    // The restored StatefulSet finds its pods by labels that no other pods have.
    const wanted = objectAt(groupNodes, 'spec', 'selector', 'matchLabels');
    const others = manifests.filter((manifest) => {
      const labels = objectAt(podTemplateOf(manifest), 'metadata', 'labels');
      return Object.entries(wanted).every(([label, value]) => labels[label] === value);
    });
    expect(others.map(identityOf)).toEqual(['StatefulSet/group-node']);
    // State of the pods is in databases, so no pod has a volume to lose.
    expect(listAt(groupNodes, 'spec', 'volumeClaimTemplates')).toEqual([]);
  });

  describe('of a restore', () => {
    const cronJob = find('CronJob/backup-group-2');
    const patch = /--type=json[^]*?--patch='([^']+)'/.exec(all)?.[1] ?? '[]';
    /** As `create job --from` makes it. */
    const job: JsonObject = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'restore' },
      spec: objectAt(cronJob, 'spec', 'jobTemplate', 'spec'),
    };
    const restore = applyOperations(job, JSON.parse(patch) as Json[]) as Manifest;
    const [container] = containersOf(podTemplateOf(restore)!);

    it('make a valid pod that waits', () => {
      expect(kindOf(restore)).toBe('Job');
      expect(kubernetesVersions.flatMap((version) => schemaProblems(restore, version))).toEqual([]);
      expect(checkPodSecurity([restore])).toEqual([]);
      expect(container!['command']).toEqual(['sleep', '3600']);
      expect(container!['args']).toBeUndefined();
    });

    it('use what the pod has', () => {
      const inside = [...all.matchAll(/exec job\/restore -- (.+)/g)].map(([, words]) => words!).join('\n');
      const variables = listAt(container, 'env').map((entry) => textAt(entry, 'name'));
      const used = [...inside.matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name!);
      expect(used).toContain('PGPASSWORD_FILE');
      for (const name of used) expect(variables).toContain(name);
      const paths = listAt(container, 'volumeMounts').map((mount) => textAt(mount, 'mountPath'));
      for (const [, path] of inside.matchAll(/(\/backups)\b/g)) expect(paths).toContain(path);
      expect(inside).toContain('pg_restore --dbname="$PGDATABASE" --clean --if-exists --exit-on-error');
    });
  });
});
