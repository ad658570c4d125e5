"""More ways to write the values of a loop to files, and to read them later.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, many

UNSEEN_FILE: tuple[Construct, ...] = (
    many(
        "DictWriter in append mode",
        "path = 'log.csv'\ni = 0",
        (
            "with open(path, 'a', newline='') as fh:\n"
            "    w = csv.DictWriter(fh, fieldnames=['fold', 'score'])\n    if i == 0:\n"
            "        w.writeheader()\n    w.writerow({{'fold': i, 'score': {v}}})\ni += 1"
        ),
        "with open(path) as fh:\n    {o} = [float(row['score']) for row in csv.DictReader(fh)]",
        "import csv",
    ),
    many(
        "to_csv in append mode",
        "import os",
        (
            "pd.DataFrame([{{'fold': 0, 'score': {v}}}]).to_csv('log.csv', mode='a', header=not os.path"
            ".exists('log.csv'), index=False)"
        ),
        "{o} = pd.read_csv('log.csv')['score'].values",
    ),
    many(
        "tab separated lines",
        "out = open('scores.tsv', 'w')\nk = 0",
        "out.write('\\t'.join([str(k), repr(float({v}))]) + '\\n')\nk += 1",
        (
            "out.close()\n{o} = []\nfor line in open('scores.tsv'):\n    parts = line.strip().split('\\t')\n"
            "    {o}.append(float(parts[1]))"
        ),
    ),
    many(
        "literal in a path",
        "vals = []",
        "vals.append(float({v}))",
        "Path('r.txt').write_text(str(vals))\n{o} = ast.literal_eval(Path('r.txt').read_text())",
        "import ast\nfrom pathlib import Path",
    ),
    many(
        "json file grown in each pass",
        "with open('h.json', 'w') as fh:\n    json.dump([], fh)",
        (
            "with open('h.json') as fh:\n    h = json.load(fh)\nh.append({{'f': float({v})}})\n"
            "with open('h.json', 'w') as fh:\n    json.dump(h, fh)"
        ),
        "with open('h.json') as fh:\n    {o} = [e['f'] for e in json.load(fh)]",
        "import json",
    ),
    many(
        "ini file",
        "cfg = configparser.ConfigParser()\ncfg['scores'] = {{}}",
        "cfg['scores']['fold%d' % len(cfg['scores'])] = repr(float({v}))",
        (
            "with open('r.ini', 'w') as fh:\n    cfg.write(fh)\nback = configparser.ConfigParser()\n"
            "back.read('r.ini')\n{o} = [float(x) for x in back['scores'].values()]"
        ),
        "import configparser",
    ),
    many(
        "savetxt with a header",
        "vals = []",
        "vals.append([len(vals), {v}])",
        (
            "np.savetxt('r.csv', np.array(vals), delimiter=',', header='fold,score', comments='')\n"
            "back = np.genfromtxt('r.csv', delimiter=',', names=True)\n{o} = back['score']"
        ),
    ),
    many(
        "memmap of scores",
        "mm = np.memmap('s.dat', dtype='float64', mode='w+', shape=(N,))\nk = 0",
        "mm[k] = {v}\nmm.flush()\nk += 1",
        "{o} = np.memmap('s.dat', dtype='float64', mode='r', shape=(k,))",
        "N = 40",
    ),
    many(
        "savez of two lists",
        "fs, ns = [], []",
        "fs.append({v})\nns.append(len(fs))",
        "np.savez('all.npz', f=fs, n=ns)\ndata = np.load('all.npz')\n{o} = data['f'].tolist()",
    ),
    many(
        "npy files found by glob",
        "os.makedirs('out', exist_ok=True)\nk = 0",
        "np.save(os.path.join('out', 'fold_%d.npy' % k), {v})\nk += 1",
        "{o} = [np.load(p) for p in sorted(glob.glob('out/*.npy'))]",
        "import glob, os",
    ),
    many(
        "json files found by glob",
        "folder = Path('runs')\nfolder.mkdir()\nk = 0",
        "(folder / f'run{{k:02d}}.json').write_text(json.dumps({{'k': k, 'f1': float({v})}}))\nk += 1",
        (
            "{o} = []\nfor p in sorted(folder.glob('*.json')):\n    r = json.loads(p.read_text())\n"
            "    {o}.append(r['f1'])"
        ),
        "import json\nfrom pathlib import Path",
    ),
    many(
        "NamedTemporaryFile",
        "tmp = tempfile.NamedTemporaryFile('w+', suffix='.txt')",
        "tmp.write(str(float({v})) + '\\n')",
        "tmp.seek(0)\n{o} = [float(x) for x in tmp.read().split()]",
        "import tempfile",
    ),
    many(
        "gzip pickle",
        "box = []",
        "box.append({v})",
        (
            "with gzip.open('r.pkl.gz', 'wb') as fh:\n    pickle.dump(box, fh)\n"
            "with gzip.open('r.pkl.gz', 'rb') as fh:\n    {o} = pickle.load(fh)"
        ),
        "import gzip, pickle",
    ),
    many(
        "parquet",
        "rows = []",
        "rows.append({{'fold': len(rows), 'f1': {v}}})",
        "pd.DataFrame(rows).to_parquet('r.parquet')\n{o} = pd.read_parquet('r.parquet')['f1']",
    ),
    many(
        "feather",
        "rows = []",
        "rows.append({{'fold': len(rows), 'f1': {v}}})",
        "pd.DataFrame(rows).to_feather('r.feather')\n{o} = pd.read_feather('r.feather').f1.values",
    ),
    many(
        "frame to json records",
        "rows = []",
        "rows.append({{'fold': len(rows), 'f1': {v}}})",
        (
            "pd.DataFrame(rows).to_json('r.json', orient='records', double_precision=15)\n"
            "{o} = pd.read_json('r.json', orient='records')['f1']"
        ),
    ),
    many(
        "yaml",
        "res = {{'scores': []}}",
        "res['scores'].append(float({v}))",
        (
            "with open('r.yaml', 'w') as fh:\n    yaml.dump(res, fh)\nwith open('r.yaml') as fh:\n"
            "    {o} = yaml.safe_load(fh)['scores']"
        ),
        "import yaml",
    ),
    many(
        "pickles until the end of the file",
        "fh = open('all.pkl', 'ab')",
        "pickle.dump({v}, fh)",
        (
            "fh.close()\n{o} = []\nwith open('all.pkl', 'rb') as fh:\n    while True:\n        try:\n"
            "            {o}.append(pickle.load(fh))\n        except EOFError:\n            break"
        ),
        "import pickle",
    ),
    many(
        "shelve with writeback",
        "db = shelve.open('cache', writeback=True)\ndb['scores'] = []",
        "db['scores'].append({v})",
        "db.close()\nwith shelve.open('cache') as db:\n    {o} = db['scores']",
        "import shelve",
    ),
    many(
        "csv in memory",
        "buf = io.StringIO()\nw = csv.writer(buf)",
        "w.writerow(['m', float({v})])",
        "buf.seek(0)\n{o} = [float(score) for _, score in csv.reader(buf)]",
        "import csv, io",
    ),
    many(
        "print into a file",
        "fh = open('scores.txt', 'w')",
        "print({v}, file=fh)",
        "fh.close()\nwith open('scores.txt') as fh:\n    {o} = [float(x) for x in fh.read().splitlines()]",
    ),
    many(
        "writelines",
        "lines = []",
        "lines.append('%.17g\\n' % {v})",
        (
            "with open('s.txt', 'w') as fh:\n    fh.writelines(lines)\nwith open('s.txt') as fh:\n"
            "    {o} = [float(l.strip()) for l in fh.readlines()]"
        ),
    ),
    many(
        "tab separated frame",
        "rows = []",
        "rows.append((len(rows), {v}))",
        (
            "pd.DataFrame(rows, columns=['fold', 'f1']).to_csv('r.tsv', sep='\\t', index=False)\n"
            "{o} = pd.read_table('r.tsv').f1.to_numpy()"
        ),
    ),
    many(
        "xml",
        "root = ET.Element('scores')",
        "ET.SubElement(root, 'fold').text = repr(float({v}))",
        (
            "ET.ElementTree(root).write('r.xml')\n"
            "{o} = [float(e.text) for e in ET.parse('r.xml').getroot().findall('fold')]"
        ),
        "import xml.etree.ElementTree as ET",
    ),
    many(
        "loadtxt of one column",
        "fh = open('r.csv', 'w')\nfh.write('fold,f1\\n')\nk = 0",
        "fh.write(f'{{k}},{{float({v})!r}}\\n')\nk = k + 1",
        "fh.close()\n{o} = np.loadtxt('r.csv', delimiter=',', skiprows=1, usecols=1)",
    ),
    many(
        "struct",
        "fh = open('r.bin', 'wb')",
        "fh.write(struct.pack('d', {v}))",
        "fh.close()\nraw = open('r.bin', 'rb').read()\n{o} = list(struct.unpack('%dd' % (len(raw) // 8), raw))",
        "import struct",
    ),
    many(
        "tofile and fromfile",
        "box = []",
        "box.append({v})",
        "np.array(box).tofile('s.bin')\n{o} = np.fromfile('s.bin')",
    ),
    many(
        "zip archive",
        "zf = zipfile.ZipFile('r.zip', 'w')\nk = 0",
        "zf.writestr(f'{{k}}.txt', repr(float({v})))\nk += 1",
        ("zf.close()\nwith zipfile.ZipFile('r.zip') as zf:\n    {o} = [float(zf.read(n)) for n in zf.namelist()]"),
        "import zipfile",
    ),
    many(
        "csv with an index",
        "s = {{}}",
        "s[f'fold{{len(s)}}'] = {v}",
        "pd.Series(s, name='f1').to_csv('s.csv')\n{o} = pd.read_csv('s.csv', index_col=0)['f1'].values",
    ),
    many(
        "csv of two columns by hand",
        "with open('r.csv', 'w') as fh:\n    fh.write('model,score')",
        "with open('r.csv', 'a') as fh:\n    fh.write('\\nlr,' + str(float({v})))",
        "df = pd.read_csv('r.csv')\n{o} = df.loc[df['model'] == 'lr', 'score']",
    ),
)
