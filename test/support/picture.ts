// Type and size of an image, from the first bytes of a PNG or the frame header of a JPEG.

export interface Picture {
  type: 'png' | 'jpeg';
  width: number;
  height: number;
}

export function readPicture(bytes: Uint8Array): Picture {
  const data = Buffer.from(bytes);
  if (data.subarray(1, 4).toString() === 'PNG') {
    return { type: 'png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  }
  if (data.readUInt16BE(0) !== 0xffd8) throw new Error('The image is neither PNG nor JPEG.');
  for (let at = 2; at < data.length; at += 2 + data.readUInt16BE(at + 2)) {
    const isFrame = data[at + 1]! >= 0xc0 && data[at + 1]! <= 0xc2;
    if (isFrame) return { type: 'jpeg', width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5) };
  }
  throw new Error('The JPEG has no frame header.');
}
