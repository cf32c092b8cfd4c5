const contract = `Contract Counter(mut count: U256) {
  event Counted(count: U256)
  enum CounterError { TooMany = 0 }

  @using(updateFields = true, checkExternalCaller = false)
  pub fn add(amount: U256) -> () {
    assert!(amount <= 10, CounterError.TooMany)
    count = count + amount
    emit Counted(count)
  }

  pub fn read() -> U256 { return count }
}
`;

const script = `TxScript Add(counter: Counter, amount: U256) {
  counter.add(amount)
}
`;

/** Sources of the page of the description. */
export const sourceExamples = {
  contract,
  script: `${script}\n${contract}`,
  project: `${contract}\n${script}`,
} as const;
