// Finds the encoding of a file of texts.

export const CHUNK = 65536;
export const ENCODINGS = (
  "utf-8 utf-16le utf-16be windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 "
  + "windows-1258 windows-874 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 "
  + "iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh x-mac-cyrillic ibm866 shift_jis euc-jp iso-2022-jp euc-kr big5 gb18030"
).split(" ");
const WESTERN = "äöüßéèàçñóíáúâêîôåøæœÄÖÜÉÈÀÇÑÓÁÅØÆ";
const LATIN = {
  "windows-1252": WESTERN,
  "windows-1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţöüäĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰ",
  "windows-1254": "çğıöşüâîÇĞİÖŞÜ",
  "windows-1257": "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲ",
  macintosh: WESTERN,
};
const OTHER = { "windows-1251": ["\u0400", "\u04ff"], "koi8-r": ["\u0400", "\u04ff"], "windows-1253": ["\u0370", "\u03ff"] };
const ASIAN = {
  shift_jis: ["\u3041", "\u30ff", 0.1], "euc-jp": ["\u3041", "\u30ff", 0.1], "euc-kr": ["\uac00", "\ud7a3", 0.5],
  gb18030: ["\u4e00", "\u9fff", 0.5],
};
const MOST_SCORED = 65536;

const isLetter = (letter) => letter.toLowerCase() !== letter.toUpperCase();
const isAsciiLetter = (letter) => letter.toLowerCase() >= "a" && letter.toLowerCase() <= "z";
const within = (letter, [low, high]) => letter >= low && letter <= high;

function fit(name, letter, before, after) {
  if (letter < "\xa0") return -2;
  const nearLatin = isAsciiLetter(before) || isAsciiLetter(after);
  if (!isLetter(letter)) return nearLatin && isLetter(before) && isLetter(after) ? -1 : 0;
  if (letter === letter.toUpperCase() && before !== before.toUpperCase()) return -1;
  if (name in LATIN) {
    if (!nearLatin) return -0.5;
    return LATIN[name].includes(letter) ? 1 : 0.5;
  }
  if (nearLatin || !within(letter, OTHER[name])) return -1;
  if (!within(before, OTHER[name]) && !within(after, OTHER[name])) return 0;
  return letter === letter.toLowerCase() ? 1 : 0.8;
}

// How well a decoded text looks, as the mean over its letters that are not ASCII.
function score(name, text) {
  let size = 0;
  let total = 0;
  let typical = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter < "\x80") continue;
    size += 1;
    if (name in ASIAN) {
      if (within(letter, ASIAN[name])) typical += 1;
      total += within(letter, ["\u3000", "\u9fff"]) || within(letter, ["\uac00", "\ud7a3"]) || within(letter, ["\uff01", "\uff5e"]) ? 1 : -1;
    } else {
      total += fit(name, letter, at ? text[at - 1] : " ", at + 1 < text.length ? text[at + 1] : " ");
    }
  }
  return !size || (name in ASIAN && typical < ASIAN[name][2] * size) ? -10 : total / size;
}

function likeliest(sample) {
  let best = "windows-1252";
  let highest = -10;
  for (const name of [...Object.keys(LATIN), ...Object.keys(OTHER), ...Object.keys(ASIAN)]) {
    try {
      const found = score(name, new TextDecoder(name, { fatal: true }).decode(sample.subarray(0, MOST_SCORED), { stream: true }));
      if (found > highest) {
        highest = found;
        best = name;
      }
    } catch {
      // not written in this encoding
    }
  }
  return best;
}

function marked(start) {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  const sample = start.subarray(0, 2000);
  const zeros = [0, 0];
  sample.forEach((byte, at) => { if (byte === 0) zeros[at % 2] += 1; });
  if (sample.length >= 4 && zeros[0] + zeros[1] > Math.floor(sample.length / 4) && (!zeros[0] || !zeros[1])) return zeros[1] ? "utf-16le" : "utf-16be";
  return null;
}

// The likeliest encoding of a file (a Blob), or null if it is not a text.
export async function findEncoding(file) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let begin = 0; begin < file.size; begin += CHUNK) {
    const chunk = new Uint8Array(await file.slice(begin, begin + CHUNK).arrayBuffer());
    const found = begin ? null : marked(chunk);
    if (found) return found;
    if (chunk.includes(0)) return null;
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      return likeliest(begin ? chunk.subarray(chunk.indexOf(10) + 1) : chunk);
    }
  }
  try {
    decoder.decode();
  } catch {
    return "windows-1252";
  }
  return "utf-8";
}
