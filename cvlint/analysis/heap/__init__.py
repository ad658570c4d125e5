"""The heap: containers, objects and files, which programs change in place. `reads` reads and `writes` writes entries.

In go the state, a container and a key; out comes the value that was read, or the changed container.

A container is a `cvlint.analysis.domain.heap_object.HeapObject`: ``fields`` hold the entries under known keys,
``elements`` the join of all others, and ``extent`` the loops that fill them. An object of a class of the project is an
`Instance`. A file is a list of records that is found again by its path (`files`, `paths`). The syntax or the method of
a Python idiom decides where it is modelled:

======================================  ==========================================  ========================
Python                                  enters the analysis in                      works on the heap in
======================================  ==========================================  ========================
``x[key]``                              `interpreter.expressions`                   `reads.read_entry`
``x[key] = v``, ``x[key] += v``         `interpreter.assignments`                   `writes.write_entry`
``x.name = v``                          `interpreter.assignments.set_attribute`     (there)
``[a, b]``, ``{"f1": v}``               `interpreter.expressions`                   (there: allocation)
``[f(x) for x in xs]``                  `interpreter.loops`                         (there: allocation)
``xs += ys``                            `interpreter.arithmetic.accumulate`         `writes.extend_list`
``list.append``, ``queue.put``          `models.containers.lists_and_dicts`         `writes.append_entry`
``list.extend``                         `models.containers.lists_and_dicts`         `writes.extend_list`
``dict.update``                         `models.containers.lists_and_dicts`         `writes.update_dict`
``dict.setdefault``                     `models.containers.lists_and_dicts`         `writes.set_default`
``list.clear``, ``dict.clear``          `models.containers.lists_and_dicts`         `writes.clear_container`
``dict.get``                            `models.containers.lists_and_dicts`         `reads.read_entry_of`
``list(x)``, ``defaultdict(list)``      `models.containers.lists_and_dicts`         (there: allocation)
``np.zeros(n)``, ``pd.DataFrame(…)``    `models.containers.arrays_and_frames`       (there: allocation)
``np.concatenate``, ``pd.concat``       `models.containers.concatenation`           (there)
``np.save``, ``open``, ``read_csv``      `models.containers.files`                   `files.read_file`, …
``copy.deepcopy``, ``pickle.loads``     `models.containers.arrays_and_frames`       `copies.copy_value`
``np.mean(x)``, ``frame.groupby``       `models.containers.reductions`, …           `reads`
======================================  ==========================================  ========================

Which method names have which effect is written in ``rules/knowledge/methods.toml``: ``effect = "update"`` leads to
the transfer function `update_method`.
"""
