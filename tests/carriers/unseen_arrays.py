"""More ways for an array to travel.

Their forms are those of `tests.carriers.constructs`. They were written before anybody looked at how the analysis
follows them.
"""

from __future__ import annotations

from tests.carriers.constructs import Construct, one

UNSEEN_ARRAY: tuple[Construct, ...] = (
    one(
        "text matrix with a format",
        (
            "np.savetxt('m.txt', {v}, fmt='%.18e', delimiter=';')\n"
            "{o} = np.genfromtxt('m.txt', delimiter=';').reshape({v}.shape).astype({v}.dtype)"
        ),
    ),
    one(
        "npz with positions",
        "np.savez_compressed('m.npz', {v}, np.arange(3))\nwith np.load('m.npz') as z:\n    {o} = z['arr_0']",
    ),
    one(
        "parquet of an array",
        (
            "d = pd.DataFrame({v}.reshape(len({v}), -1))\nd.columns = [f'c{{i}}' for i in range(d.shape[1])]\n"
            "d.to_parquet('m.parquet')\n{o} = pd.read_parquet('m.parquet').to_numpy().reshape({v}.shape)"
        ),
    ),
    one("bytes", "raw = {v}.tobytes()\n{o} = np.frombuffer(raw, dtype={v}.dtype).reshape({v}.shape)"),
    one(
        "open_memmap",
        (
            "m = np.lib.format.open_memmap('m.npy', mode='w+', dtype={v}.dtype, shape={v}.shape)\nm[:] = {v}\n"
            "m.flush()\ndel m\n{o} = np.load('m.npy', mmap_mode='r')"
        ),
    ),
    one(
        "csv lines of an array",
        (
            "with open('m.csv', 'w', newline='') as fh:\n"
            "    csv.writer(fh).writerows(np.atleast_2d({v}).tolist())\nwith open('m.csv') as fh:\n"
            "    rows = [[float(x) for x in r] for r in csv.reader(fh)]\n"
            "{o} = np.array(rows).reshape({v}.shape).astype({v}.dtype)"
        ),
        "import csv",
    ),
    one("einsum identity", "{o} = np.einsum('...->...', {v}).copy()"),
    one("broadcast_to", "{o} = np.broadcast_to({v}, (2,) + {v}.shape)[1]"),
    one("moveaxis", "{o} = np.moveaxis(np.moveaxis({v}[..., None], -1, 0), 0, -1)[..., 0]"),
    one("np.put", "{o} = np.zeros({v}.shape, {v}.dtype)\nnp.put({o}, np.arange({v}.size), {v})"),
    one("np.place", "{o} = np.zeros({v}.shape, {v}.dtype)\nnp.place({o}, np.ones({v}.shape, bool), {v}.ravel())"),
    one("np.select", "{o} = np.select([np.ones({v}.shape, bool)], [{v}], default=0)"),
    one("np.clip", "{o} = np.clip({v}, {v}.min(), {v}.max())"),
    one("nan_to_num", "{o} = np.nan_to_num({v})"),
    one("maximum with itself", "{o} = np.maximum({v}, {v})"),
    one("np.multiply", "{o} = np.multiply({v}, np.ones_like({v}))"),
    one("np.add with out", "{o} = np.empty_like({v})\nnp.add({v}, 0, out={o})"),
    one("np.require", "{o} = np.require({v}, requirements=['C', 'O'])"),
    one("nditer", "{o} = np.empty_like({v})\nfor i in np.ndindex({v}.shape):\n    {o}[i] = {v}[i]"),
    one("ndenumerate", "{o} = np.zeros_like({v})\nfor i, x in np.ndenumerate({v}):\n    {o}[i] = x"),
    one("repeat and step", "{o} = np.repeat({v}, 2, axis=0)[::2]"),
    one("np.resize", "{o} = np.resize({v}, {v}.shape)"),
    one("np.pad", "{o} = np.pad({v}, [(1, 1)] + [(0, 0)] * ({v}.ndim - 1))[1:-1]"),
    one(
        "shuffled and back",
        "p = np.random.RandomState(3).permutation(len({v}))\nback = np.argsort(p)\n{o} = {v}[p][back]",
    ),
    one("double reverse", "{o} = {v}[::-1][::-1]"),
    one("added dimension", "{o} = {v}[np.newaxis, :].squeeze(axis=0)"),
    one("np.block", "{o} = np.block([[{v}.reshape(len({v}), -1)]]).reshape({v}.shape)"),
    one(
        "np.dstack",
        "{o} = np.dstack([{v}.reshape(len({v}), -1), {v}.reshape(len({v}), -1)])[:, :, 0].reshape({v}.shape)",
    ),
    one(
        "column by column",
        (
            "m = {v}.reshape(len({v}), -1)\n"
            "{o} = np.column_stack([m[:, j] for j in range(m.shape[1])]).reshape({v}.shape)"
        ),
    ),
    one(
        "batched concatenation",
        (
            "parts = []\nfor s in range(0, len({v}), 32):\n    parts.append({v}[s:s + 32])\n"
            "{o} = np.concatenate(parts, axis=0)"
        ),
    ),
    one(
        "mask of two halves",
        "m = np.arange(len({v})) % 2 == 0\n{o} = np.empty_like({v})\n{o}[m] = {v}[m]\n{o}[~m] = {v}[~m]",
    ),
    one("np.extract by rows", "{o} = {v}[np.nonzero(np.ones(len({v})))[0]]"),
    one("np.array copy", "{o} = np.array({v}, copy=True, ndmin=1)"),
    one("asfortranarray", "{o} = np.asfortranarray({v})"),
    one("np.unique with inverse", "u, inv = np.unique({v}, return_inverse=True)\n{o} = u[inv].reshape({v}.shape)"),
    one("where of nan", "{o} = np.where(np.isnan({v}), 0, {v})"),
    one("take method", "{o} = {v}.take(range(len({v})), axis=0)"),
    one("item by item", "flat = [x.item() for x in {v}.flat]\n{o} = np.array(flat).reshape({v}.shape)"),
    one("masked array with a mask", "m = np.ma.masked_array({v}, mask=np.zeros({v}.shape, bool))\n{o} = m.data"),
    one("matmul with the identity", "{o} = (np.eye(len({v})) @ {v}).astype({v}.dtype)"),
    one(
        "split and vstack",
        "parts = np.array_split({v}.reshape(len({v}), -1), 3)\n{o} = np.vstack(parts).reshape({v}.shape)",
    ),
    one("object list of rows", "rows = list({v})\nrows.append(rows[0])\n{o} = np.stack(rows[:-1])"),
    one("slice object", "s = slice(None)\n{o} = {v}[s]"),
    one("np.s_", "{o} = {v}[np.s_[0:len({v})]]"),
    one(
        "ix_",
        ("m = {v}.reshape(len({v}), -1)\n{o} = m[np.ix_(range(m.shape[0]), range(m.shape[1]))].reshape({v}.shape)"),
    ),
    one("tuple of the array", "{o} = np.array(tuple(map(tuple, {v}.reshape(len({v}), -1)))).reshape({v}.shape)"),
    one("float32 and back", "{o} = {v}.astype('float64').astype({v}.dtype)"),
    one("hsplit", "m = {v}.reshape(len({v}), -1)\n{o} = np.hstack(np.hsplit(m, m.shape[1])).reshape({v}.shape)"),
    one("roll of the axis", "{o} = np.rollaxis({v}[None], 0)[0]"),
    one("np.full with a fill", "{o} = np.full({v}.shape, -1).astype({v}.dtype)\n{o}[np.arange(len({v}))] = {v}"),
    one("frompyfunc", "{o} = np.frompyfunc(lambda x: x, 1, 1)({v}).astype({v}.dtype)"),
    one("ravel with order", "{o} = {v}.ravel(order='C').reshape({v}.shape, order='C')"),
    one(
        "sklearn resample without replacement",
        (
            "from sklearn.utils import shuffle as mixed\nidx = mixed(np.arange(len({v})), random_state=1)\n"
            "{o} = np.empty_like({v})\n{o}[idx] = {v}[idx]"
        ),
    ),
    one(
        "column and index",
        (
            "d = pd.DataFrame({v}.reshape(len({v}), -1), index=range(100, 100 + len({v})))\n"
            "{o} = d.loc[d.index].to_numpy().reshape({v}.shape)"
        ),
    ),
    one(
        "renamed columns",
        (
            "d = pd.DataFrame({v}.reshape(len({v}), -1)).add_prefix('c')\n"
            "{o} = d[[c for c in d.columns if c.startswith('c')]].values.reshape({v}.shape)"
        ),
    ),
    one("series map", "{o} = pd.Series(list({v})).map(lambda x: x)\n{o} = np.array({o}.tolist())"),
    one(
        "joined frames of pandas",
        (
            "d = pd.DataFrame({v}.reshape(len({v}), -1)).join(pd.DataFrame({{'n': range(len({v}))}}))\n"
            "{o} = d.drop('n', axis=1).values.reshape({v}.shape)"
        ),
    ),
    one(
        "frame with column names",
        (
            "d = pd.DataFrame({v}.reshape(len({v}), -1))\nd.columns = ['x%d' % i for i in range(d.shape[1])]\n"
            "d['id'] = np.arange(len(d))\n"
            "{o} = d.sort_values('id').drop(columns=['id']).to_numpy().reshape({v}.shape)"
        ),
    ),
    one(
        "replaced and filled",
        ("{o} = pd.DataFrame({v}.reshape(len({v}), -1)).replace([np.inf], 0).fillna(0).values.reshape({v}.shape)"),
    ),
    one(
        "select_dtypes",
        "{o} = pd.DataFrame({v}.reshape(len({v}), -1)).select_dtypes('number').to_numpy().reshape({v}.shape)",
    ),
    one(
        "transform of columns",
        "{o} = pd.DataFrame({v}.reshape(len({v}), -1)).transform(lambda c: c).values.reshape({v}.shape)",
    ),
    one(
        "records",
        (
            "{o} = np.array([list(r.values()) for r in pd.DataFrame({v}.reshape(len({v}), -1)).to_dict("
            "'records')]).reshape({v}.shape)"
        ),
    ),
)
