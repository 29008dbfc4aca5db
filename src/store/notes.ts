// Port: what the service remembers about itself from one start to the next.

export interface Notes {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
}
