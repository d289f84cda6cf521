/** An agent's process and everything it started, as far as a signal can reach. No method throws or waits. */
export interface ProcessTree {
  /** Notes who belongs to the tree now. Once the agent is dead its children can't be found by their parent any more. */
  remember(): void;
  /** Asks the agent's process group to end. */
  terminate(): void;
  /** Kills every process of the tree. */
  kill(): void;
  /** The agent is dead and its pid may be used again: kills what is left of the tree. */
  sweep(): void;
}
