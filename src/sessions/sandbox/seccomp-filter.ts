// The sandbox's seccomp filter. It blocks system calls that create namespaces, reach other processes, hold memory that
// is not counted, or open socket families that no namespace isolates. Programs see them as not implemented (ENOSYS).

/** System call numbers on x64 and on arm64. */
const BLOCKED: Readonly<Record<string, readonly [number, number]>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  unshare: [272, 97],
  setns: [308, 268],
  // Its flags are in memory, which a filter cannot read. The C library falls back to clone.
  clone3: [435, 435],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsmount: [432, 432],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  kexec_load: [246, 104],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  syslog: [103, 116],
  acct: [163, 89],
  swapon: [167, 224],
  reboot: [169, 142],
};
const CLONE = [56, 220] as const;
const SOCKET = [41, 198] as const;
/** CLONE_NEWUSER and the flags of all other namespaces. */
const NEW_NAMESPACES = 0x7e020000;
/** Unix, IPv4, IPv6, and netlink, with which the C library lists interfaces. Not vsock, which leads to the host. */
const ALLOWED_FAMILIES = [1, 2, 10, 16];

const ARCHITECTURES: Readonly<Record<string, { at: 0 | 1; audit: number }>> = {
  x64: { at: 0, audit: 0xc000003e },
  arm64: { at: 1, audit: 0xc00000b7 },
};

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const OFFSET = { number: 0, architecture: 4, firstArgument: 16 };
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const NO_SUCH_CALL = 0x00050000 + 38;
/** Numbers from here on belong to x32, a second set of numbers for the same calls. */
const X32 = 0x40000000;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const decide = (value: number): Instruction => [RETURN, 0, 0, value];
/** Skips `skip` instructions, counted from the next one, unless the condition holds. */
const unless = (code: number, value: number, skip: number): Instruction => [code, 0, skip, value];

/** Undefined for architectures that have no numbers here. */
export function systemCallFilter(architecture: string): Buffer | undefined {
  const machine = ARCHITECTURES[architecture];
  if (!machine) return undefined;
  const { at, audit } = machine;
  const program: Instruction[] = [
    load(OFFSET.architecture),
    [IF_EQUAL, 1, 0, audit],
    decide(KILL),
    load(OFFSET.number),
    unless(IF_AT_LEAST, X32, 1),
    decide(KILL),
    ...Object.values(BLOCKED).flatMap((numbers) => [unless(IF_EQUAL, numbers[at], 1), decide(NO_SUCH_CALL)]),
    unless(IF_EQUAL, CLONE[at], 4),
    load(OFFSET.firstArgument),
    unless(IF_ANY_BIT, NEW_NAMESPACES, 1),
    decide(NO_SUCH_CALL),
    decide(ALLOW),
    unless(IF_EQUAL, SOCKET[at], 2 + 2 * ALLOWED_FAMILIES.length),
    load(OFFSET.firstArgument),
    ...ALLOWED_FAMILIES.flatMap((family) => [unless(IF_EQUAL, family, 1), decide(ALLOW)]),
    decide(NO_SUCH_CALL),
    decide(ALLOW),
  ];
  return Buffer.concat(program.map(encode));
}

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
