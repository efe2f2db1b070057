// Finds the encoding of a file of texts.

export const CHUNK = 65536;
export const ENCODINGS = (
  "utf-8 utf-16le utf-16be windows-1252 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 "
  + "windows-1258 windows-874 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 "
  + "iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh x-mac-cyrillic ibm866 shift_jis euc-jp iso-2022-jp euc-kr big5 gb18030"
).split(" ");
const MOST_SCORED = 65536;
const NEAR = 0.25;
const LONGEST_SHOWN = 100;
const LATIN = {
  "windows-1252": "äöüßéèàçñóíáúâêîôåøæœÄÖÜÉÈÀÇÑÓÁÅØÆ",
  "windows-1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţöüäĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰ",
  "windows-1254": "çğıöşüâîÇĞİÖŞÜ",
  "windows-1257": "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲ",
  macintosh: "äöüßéèàçñóíáúâêîôåøæœÄÖÜÉÈÀÇÑÓÁÅØÆ",
};
// Of each other encoding the letters of its script, and those that are most usual in it.
const CJK = /[\u2e80-\u9fff\uac00-\ud7a3\uff01-\uffef]/;
const KANJI = "人口男女性別年月日齢数計東京大阪都道府県市区町村名姓氏病院患者死亡診断結果検査陽陰有無総合地方国民以上下未満歳代件中小学校生活保険料金額回答住所番号種類入退出者不明他";
const HANZI = "人口男女性别年月日龄数计总合地区省市县名姓死亡病例医院患者诊断结果检查阳阴有无国民以上下岁代件中小学校生活保险金额回答住址编号种类入出者不明其他北京上海广东江苏浙南西";
const TRADITIONAL = "人口男女性別年月日齡數計總合地區省市縣名姓死亡病例醫院患者診斷結果檢查陽陰有無國民以上下歲代件中小學校生活保險金額回答住址編號種類入出者不明其他北臺灣台高雄東南西新";
const OTHER = {
  "windows-1251": [/[\u0400-\u04ff]/, "оеаинтсрвлкмдпу"],
  "koi8-r": [/[\u0400-\u04ff]/, "оеаинтсрвлкмдпу"],
  "windows-1253": [/[\u0370-\u03ff]/, "αοιετσνηυρπκλςάή"],
  "windows-1255": [/[\u0590-\u05ff]/, "יוהלאתרמבשנקםד"],
  "windows-1256": [/[\u0600-\u06ff]/, "اليمنوتربةعدسف"],
  "windows-874": [/[\u0e00-\u0e7f]/, "านรอกเงคมย่้ัีิวลสท"],
  shift_jis: [CJK, KANJI],
  "euc-jp": [CJK, KANJI],
  gb18030: [CJK, HANZI],
  big5: [CJK, TRADITIONAL],
  "euc-kr": [CJK, "이다는에의가고을지사기인한시어서대리자성별여남도부산울구군원수명학병나라전연령세진단결과환역제주경동"],
};
const KANA = /[\u3041-\u30ff]/;

const isLetter = (letter) => letter.toLowerCase() !== letter.toUpperCase();
const isAsciiLetter = (letter) => letter.toLowerCase() >= "a" && letter.toLowerCase() <= "z";

// How well a letter beyond ASCII fits between its neighbours in a language with Latin letters.
function fitLatin(name, letter, before, after) {
  if (letter < "\xa0") return -2;
  const nearLatin = isAsciiLetter(before) || isAsciiLetter(after);
  if (!isLetter(letter)) return nearLatin && isLetter(before) && isLetter(after) ? -1 : 0;
  if (letter === letter.toUpperCase() && before !== before.toUpperCase()) return -1;
  if (!nearLatin) return -0.5;
  return LATIN[name].includes(letter) ? 1 : 0.5;
}

// How well it fits in a language with other letters: the usual ones of it fit best, those of no script least.
function fitOther(name, letter, before, after) {
  const [script, usual] = OTHER[name];
  if (letter < "\xa0") return -2;
  if (!script.test(letter)) return isLetter(letter) ? -1 : -0.2;
  if (isAsciiLetter(before) || isAsciiLetter(after)) return -1;
  if (letter !== letter.toLowerCase() && before !== before.toUpperCase()) return -1;
  if (usual.includes(letter.toLowerCase())) return 1;
  if (script === CJK) return KANA.test(letter) && usual === KANJI ? 0.9 : -0.1;
  return 0.1;
}

// The mean fit of the letters beyond ASCII; -10 if there are none.
function score(name, text) {
  let size = 0;
  let total = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] < "\x80") continue;
    size += 1;
    total += (name in LATIN ? fitLatin : fitOther)(name, text[at], at ? text[at - 1] : " ", at + 1 < text.length ? text[at + 1] : " ");
  }
  return size ? total / size : -10;
}

// The likely encodings, the best first: those whose letters fit nearly as well as those of the best.
function likely(sample) {
  const scores = [];
  for (const name of [...Object.keys(LATIN), ...Object.keys(OTHER)]) {
    try {
      scores.push([name, score(name, new TextDecoder(name, { fatal: true }).decode(sample.subarray(0, MOST_SCORED), { stream: true }))]);
    } catch {
      // not written in this encoding
    }
  }
  scores.sort(([, one], [, other]) => other - one);
  const near = scores.filter(([, found]) => found > -10 && found >= scores[0][1] - NEAR).map(([name]) => name);
  return near.length ? near : ["windows-1252"];
}

// The encodings among likely ones that show the texts of a sample in another way than the first does, each with the first
// line that differs; with the first one's own line before them. Empty if none does.
export function differing(names, sample) {
  const lines = names.map((name) => new TextDecoder(name).decode(sample, { stream: true }).split(/[\r\n]+/).filter((line) => /[^\x00-\x7f]/.test(line)));
  const others = names.map((name, at) => ({ name, at })).slice(1).filter(({ at }) => lines[at].some((line, place) => line !== lines[0][place]));
  if (!others.length) return [];
  const place = lines[0].findIndex((line, each) => line !== lines[others[0].at][each]);
  return [{ name: names[0], at: 0 }, ...others.slice(0, 2)].map(({ name, at }) => ({ name, line: (lines[at][place] ?? "").slice(0, LONGEST_SHOWN) }));
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

// The likely encodings of a file (a Blob), the best first; empty if it is not a text.
export async function findEncodings(file) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let begin = 0; begin < file.size; begin += CHUNK) {
    const chunk = new Uint8Array(await file.slice(begin, begin + CHUNK).arrayBuffer());
    const found = begin ? null : marked(chunk);
    if (found) return [found];
    if (chunk.includes(0)) return [];
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      return likely(begin ? chunk.subarray(chunk.indexOf(10) + 1) : chunk);
    }
  }
  try {
    decoder.decode();
  } catch {
    return ["windows-1252"];
  }
  return ["utf-8"];
}
