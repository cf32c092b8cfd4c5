/** The sum of all samples of a metric, in the text form of Prometheus, whose labels contain `labels` (`cache="shared"`). */
export const metricSum = (text: string, name: string, labels = ''): number =>
  text
    .split('\n')
    .filter((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
