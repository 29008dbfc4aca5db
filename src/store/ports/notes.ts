// Port: what the service remembers about itself across restarts.

export interface Notes {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
}
