// Port: work that one process at a time does. A process that dies loses its lease when it ends.

export interface Leases {
  /** Takes the lease or renews it. False while another owner has it. */
  hold(name: string, owner: string, leaseUntil: number, now: number): Promise<boolean>;
}
